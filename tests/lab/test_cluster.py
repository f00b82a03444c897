"""A series on a Dask cluster comes to the same as in one process; a worker may die."""

from pathlib import Path

import pytest

from apennine.lab.spec import read_spec
from apennine.lab.store import Store
from apennine.lab.workers import Alone, Cluster, Crew, run

distributed = pytest.importorskip("distributed")

SPEC = 'game = "crossing"\ngames = 16\nbots = ["random"]\nseed = "cluster"\n'


def played(path: Path, spec: Path, crew: Crew, kill: object = None) -> list[object]:
    settings, fingerprint = read_spec(spec)
    store = Store(path)
    store.begin(settings, fingerprint)
    for _ in run(store, settings, crew):
        if callable(kill):
            kill()
            kill = None
    return list(store.records(0))


def test_a_cluster_comes_to_the_same_though_a_worker_dies(tmp_path: Path):
    spec = tmp_path / "spec.toml"
    spec.write_text(SPEC)
    alone = played(tmp_path / "alone.sqlite", spec, Alone())
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    ) as cluster:
        crew = Cluster(cluster.scheduler_address)
        nanny = next(iter(cluster.workers.values()))
        assert played(tmp_path / "two.sqlite", spec, crew, nanny.process.process.kill) == alone
        crew.close()
