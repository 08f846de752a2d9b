"""The fields that people want of papers: templates with versions, their values, the columns each person looks at."""
