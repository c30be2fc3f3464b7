"""Faults of ours as findings, for those formats that know nothing else."""

from __future__ import annotations

from hashlib import sha256

from plugin_eval_ci import faults
from plugin_eval_ci.model import Finding, Severity


def fault_findings() -> tuple[Finding, ...]:
    """One error for each fault, on the first line of its file."""
    return tuple(_finding(fault) for fault in faults.noted())


def _finding(fault: faults.Fault) -> Finding:
    digest = sha256("\0".join(fault).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    message = f"internal error: {fault.said}"
    return Finding(
        faults.RULE, Severity.ERROR, False, fault.path, 1, None, None, message, faults.ADVICE, fault.rule, digest, None
    )
