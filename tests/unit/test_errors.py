from lab_app import errors


def test_every_error_has_a_code_and_says_what_to_do():
    kinds = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, errors.LabError)]
    assert len(kinds) > 8
    for kind in kinds:
        error = kind("it broke", "mend it")
        assert error.as_json() == {"error": {"code": kind.code, "message": "it broke", "hint": "mend it"}}
        assert str(error) == "it broke: mend it" and error.on_terminal == "mend it"
        assert kind("it broke", "mend it", on_terminal="`mend it`").hint == "mend it"
