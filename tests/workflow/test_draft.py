"""A draft of a finished run."""

from tests.checkout import SMOKE, Checkout, contents


def test_a_draft_of_a_finished_run_lacks_what_was_lost_since(finished_copy: Checkout) -> None:
    results = finished_copy.folder / "results" / "smoke"
    command = ("python", "scripts/make_draft.py", *SMOKE)
    assert "No record is missing or out of date" in finished_copy.run(*command).stdout
    (results / "records" / "lora.json").unlink()
    before = contents(results)
    done = finished_copy.run(*command)
    assert done.returncode == 0, done.stdout
    html = (results / "draft" / "report" / "report.html").read_text()
    assert html.count('<div class="missing erratum" role="note">') == 1
    assert "Gathering the parts of lora” has run before" in html
    after = contents(results)
    assert {name: after[name] for name in before} == before
