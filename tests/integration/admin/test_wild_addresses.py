"""Filters and searches of the staff's lists with values that no page of ours sends: a list, never a server's fault."""

import pytest

ENDLESS = "9" * 5000  # more digits than Python turns into a number


@pytest.mark.parametrize(
    "address",
    [
        f"logline/?level={ENDLESS}",
        "logline/?level=²",
        "logline/?level=-1",
        f"subtask/?q=%23{ENDLESS}",
        "subtask/?q=%23²",
        f"subtask/?q=%23{'9' * 30}",
    ],
)
def test_a_number_that_is_none_or_far_too_high_filters_nothing_or_finds_nothing(viewer, make_task, address):
    make_task(children=["failed"])
    assert viewer.get(f"/admin/tasks/{address}").status_code == 200


@pytest.mark.parametrize("task_id", [ENDLESS, "²", "9" * 30, "x"])
def test_a_search_within_a_batch_that_can_not_be_is_answered(viewer, make_task, task_id):
    make_task(children=["failed"])
    answer = viewer.get("/admin/tasks/subtask/", {"task__id__exact": task_id, "q": "paper"}, follow=True)
    assert answer.status_code == 200


@pytest.mark.parametrize("chosen", [ENDLESS, "9" * 30, "²", "x", "", "\x00"])
def test_an_action_on_a_row_that_can_not_be_is_a_bad_request(admin_client, make_task, chosen):
    task = make_task(children=["failed"])
    asked = {"action": "pause", "_selected_action": [str(task.pk), chosen]}
    assert admin_client.post("/admin/tasks/task/", asked).status_code == 400
