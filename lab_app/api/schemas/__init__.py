"""The JSON bodies of requests and answers, as pydantic models: they check what comes in and describe what goes out."""
