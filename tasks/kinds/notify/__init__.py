"""Tells people and programs that a batch has ended: by e-mail, and by a webhook that is signed.

    Wish    somebody wants to be told of a batch, by one channel, at one address
    Notice  one telling: made once a (batch, generation, channel), and carried out by a batch of its own

The telling goes through the engine like any other work: a Level 1 batch with one child, on the queue ``mail`` or
``webhook``, tried again with back-off, counted, logged, retried by a person. ``wishes`` holds the verbs, ``kinds`` the
two Kinds, ``signing`` the signature, ``letter`` the words of the mail.
"""
