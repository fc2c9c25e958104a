"""Charts of benchmarks: speed, latency, memory, stages, rounds, growth, the race of algorithms, runs over time.

One file per chart; `registry` lists those of a run. Not here: measuring (`lab_app.benchmarks`).
"""
