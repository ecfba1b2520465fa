"""Alert rules and dashboard use only metrics and labels that /metrics exports."""

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from core import processes
from core.backups import NAME_FORMAT
from tests.live_site import ROOT
from tournaments.ops import pages

TOKEN = "a token of forty characters, or so, is it"
RULES = ROOT / "deploy/prometheus/datafort.rules.yml"
DASHBOARD = ROOT / "deploy/grafana/datafort.json"
# Prometheus adds these to each target.
OF_PROMETHEUS = {"up"}
LABELS_OF_PROMETHEUS = {"instance", "job"}
WORDS = {"and", "or", "unless", "bool", "offset"}
GROUPING = re.compile(r"\b(?:by|without|on|ignoring)\s*\(([^)]*)\)")
SELECTOR = re.compile(r"\b([a-z_:][\w:]*)\b(?!\s*\()(?:\{([^}]*)\})?")
MATCHER = re.compile(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"')


def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load(RULES.read_text())["groups"]
    all_rules: list[dict[str, Any]] = group["rules"]
    return all_rules


def panels() -> list[dict[str, Any]]:
    all_panels: list[dict[str, Any]] = json.loads(DASHBOARD.read_text())["panels"]
    return all_panels


EXPRESSIONS = {
    **{rule["alert"]: rule["expr"] for rule in rules()},
    **{
        f"{panel['title']}: {target['refId']}": target["expr"]
        for panel in panels()
        for target in panel["targets"]
    },
}


def selectors(expression: str) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """Return the metrics of a PromQL expression, each with its label matchers."""
    plain = re.sub(r"\[\w+\]", "", GROUPING.sub("", expression))
    return [
        (match[1], MATCHER.findall(match[2] or ""))
        for match in SELECTOR.finditer(plain)
        if match[1] not in WORDS
    ]


@pytest.fixture
def exported(db, client: Client, settings, tmp_path: Path) -> dict[str, dict[str, set[str]]]:
    """Return the metrics of a real response, each with the values of its labels."""
    settings.METRICS_TOKEN = TOKEN
    settings.CELERY_TASK_ALWAYS_EAGER = False
    settings.VAR_DIR, settings.BACKUP_FOLDER = tmp_path, str(tmp_path)
    (tmp_path / f"{timezone.now().strftime(NAME_FORMAT)}.sqlite3.gz").write_bytes(bytes(17))
    for process in processes.PROCESSES:
        processes.record_heartbeat(process)
    client.get("/events/")
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    metrics_: dict[str, dict[str, set[str]]] = {}
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            labels = metrics_.setdefault(sample.name, defaultdict(set))
            for label, value in sample.labels.items():
                labels[label].add(value)
    return metrics_


def test_selectors_of_an_expression_are_found():
    expression = 'max by (kind) (rate(a_total{kind!~"x|y", state="z"}[5m])) > 2 * b or vector(0)'

    assert selectors(expression) == [
        ("a_total", [("kind", "!~", "x|y"), ("state", "=", "z")]),
        ("b", []),
    ]


def test_every_metric_and_label_is_exported(exported):
    wrong = []
    for name, expression in EXPRESSIONS.items():
        metrics = selectors(expression)
        assert metrics, name
        known_labels = LABELS_OF_PROMETHEUS.union(
            *(exported.get(metric, ()) for metric, _ in metrics)
        )
        grouped = ",".join(GROUPING.findall(expression)).replace(",", " ").split()
        wrong += [f"{name}: no label {label}" for label in grouped if label not in known_labels]
        for metric, matchers in metrics:
            if metric in OF_PROMETHEUS:
                continue
            if metric not in exported:
                wrong.append(f"{name}: no metric {metric}")
                continue
            for label, operator, value in matchers:
                values = exported[metric].get(label)
                if values is None:
                    wrong.append(f"{name}: {metric} has no label {label}")
                elif metric.startswith("datafort_"):
                    choices = set(value.split("|") if "~" in operator else [value])
                    wrong += [f"{name}: {label} is never {choice}" for choice in choices - values]

    assert wrong == []


def test_every_own_metric_is_on_the_dashboard_or_in_a_rule(exported):
    used = {metric for text in EXPRESSIONS.values() for metric, _ in selectors(text)}

    assert {name for name in exported if name.startswith("datafort_")} - used == set()


def test_every_alert_has_a_summary_and_advice():
    for rule in rules():
        assert rule["labels"]["severity"] in ("page", "warning"), rule["alert"]
        assert rule["annotations"].keys() == {"summary", "description"}, rule["alert"]
    names = [rule["alert"] for rule in rules()]
    assert len(set(names)) == len(names)


def test_alerts_have_the_limits_of_the_operations_page():
    limits = {rule["alert"]: rule["expr"] for rule in rules()}

    assert limits["DatafortLoginsRefused"].endswith(f"> {pages.MANY_REFUSED_LOGINS}")
    assert limits["DatafortJobsWaiting"].endswith(f"> {pages.SLOW_JOB}")


def test_panels_do_not_overlap():
    used_cells: set[tuple[int, int]] = set()
    for panel in panels():
        position = panel["gridPos"]
        cells = {
            (position["x"] + x, position["y"] + y)
            for x in range(position["w"])
            for y in range(position["h"])
        }
        assert not cells & used_cells, panel["title"]
        assert position["x"] + position["w"] <= 24
        used_cells |= cells
