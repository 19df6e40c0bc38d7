"""faier: proves or refutes, exactly, how much a privacy mechanism leaks.

>>> import faier
>>> coin = faier.HMM(emit={"yes": {"1": "3/4", "0": "1/4"}, "no": {"1": "1/4", "0": "3/4"}})
>>> scenario = faier.Scenario.of(coin, [("yes", "no")], ratio=2, horizon=1)
>>> print(faier.verify(scenario))
violated: yes against no: after 1, 3/4 against 1/4, ratio 3 > 2 (epsilon ln(2))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from faier import library as library
    from faier import noise as noise
    from faier.api import assert_private as assert_private
    from faier.api import calibrate as calibrate
    from faier.api import certify as certify
    from faier.api import check as check
    from faier.api import compose as compose
    from faier.api import epsilon as epsilon
    from faier.api import leakage as leakage
    from faier.api import load as load
    from faier.api import lump as lump
    from faier.api import profile as profile
    from faier.api import region as region
    from faier.api import renyi as renyi
    from faier.api import tradeoff as tradeoff
    from faier.api import verify as verify
    from faier.api import zcdp as zcdp
    from faier.approximate import Point as Point
    from faier.approximate import Profile as Profile
    from faier.calibration import Calibration as Calibration
    from faier.combined import Bracket as Bracket
    from faier.combined import Refutation as Refutation
    from faier.errors import FaierError as FaierError
    from faier.errors import MechanismError as MechanismError
    from faier.errors import ModelError as ModelError
    from faier.errors import NotYetError as NotYetError
    from faier.errors import NumberError as NumberError
    from faier.errors import OutOfTime as OutOfTime
    from faier.errors import PrivacyUndecided as PrivacyUndecided
    from faier.errors import PrivacyViolation as PrivacyViolation
    from faier.errors import SamplerError as SamplerError
    from faier.errors import SolverError as SolverError
    from faier.errors import UsageError as UsageError
    from faier.evidence import Evidence as Evidence
    from faier.families import Divergence as Divergence
    from faier.families import WordsLimit as WordsLimit
    from faier.knowledge.adjacency import any_two as any_two
    from faier.knowledge.adjacency import each_within as each_within
    from faier.knowledge.adjacency import one_record as one_record
    from faier.knowledge.adjacency import one_within as one_within
    from faier.knowledge.prior import Prior as Prior
    from faier.knowledge.prior import all_or_none as all_or_none
    from faier.knowledge.prior import independent as independent
    from faier.knowledge.prior import markov_chain as markov_chain
    from faier.knowledge.prior import mixture as mixture
    from faier.knowledge.prior import product as product
    from faier.knowledge.prior import table as table
    from faier.knowledge.query import count as count
    from faier.knowledge.query import fold as fold
    from faier.knowledge.questions import differential_privacy as differential_privacy
    from faier.knowledge.questions import pufferfish as pufferfish
    from faier.knowledge.secret import Secret as Secret
    from faier.knowledge.secret import anything as anything
    from faier.knowledge.secret import record as record
    from faier.knowledge.wasserstein import wasserstein as wasserstein
    from faier.measures import Concentrated as Concentrated
    from faier.measures import Leakage as Leakage
    from faier.measures import Renyi as Renyi
    from faier.measures import TradeOff as TradeOff
    from faier.mechanisms.answering import StreamMechanism as StreamMechanism
    from faier.mechanisms.answering import emit as emit
    from faier.mechanisms.answering import stop as stop
    from faier.mechanisms.answering import stream as stream
    from faier.mechanisms.choices import draw as draw
    from faier.mechanisms.choices import flip as flip
    from faier.mechanisms.distribution import Distribution as Distribution
    from faier.mechanisms.mechanism import Mechanism as Mechanism
    from faier.mechanisms.mechanism import mechanism as mechanism
    from faier.mechanisms.process import Process as Process
    from faier.mechanisms.records import by_record as by_record
    from faier.mechanisms.symbolic import parameter as parameter
    from faier.model.belief import Belief as Belief
    from faier.model.hmm import HMM as HMM
    from faier.model.stream import Stream as Stream
    from faier.number.budget import Budget as Budget
    from faier.partition import Region as Region
    from faier.partition import RegionBox as RegionBox
    from faier.scenario.scenario import Claim as Claim
    from faier.scenario.scenario import Pair as Pair
    from faier.scenario.scenario import Scenario as Scenario
    from faier.scenario.written import Gate as Gate
    from faier.testing import audit as audit
    from faier.testing import bracket as bracket
    from faier.testing import refute as refute
    from faier.verdict import Bounds as Bounds
    from faier.verdict import Event as Event
    from faier.verdict import Holds as Holds
    from faier.verdict import Outcome as Outcome
    from faier.verdict import Tight as Tight
    from faier.verdict import Unknown as Unknown
    from faier.verdict import ValuesLimit as ValuesLimit
    from faier.verdict import Verdict as Verdict
    from faier.verdict import Violated as Violated
    from faier.verdict import Witness as Witness

__version__ = "0.1.0"

# Names are looked up when they are first used: `import faier` and `faier --help` must not wait for numpy.
_HOME = {
    "Belief": "model.belief",
    "Bounds": "verdict",
    "Bracket": "combined",
    "Budget": "number.budget",
    "Calibration": "calibration",
    "Claim": "scenario.scenario",
    "Concentrated": "measures",
    "Distribution": "mechanisms.distribution",
    "Divergence": "families",
    "Event": "verdict",
    "Evidence": "evidence",
    "FaierError": "errors",
    "Gate": "scenario.written",
    "HMM": "model.hmm",
    "Holds": "verdict",
    "Leakage": "measures",
    "Mechanism": "mechanisms.mechanism",
    "MechanismError": "errors",
    "ModelError": "errors",
    "NotYetError": "errors",
    "NumberError": "errors",
    "OutOfTime": "errors",
    "Outcome": "verdict",
    "Pair": "scenario.scenario",
    "Point": "approximate",
    "Prior": "knowledge.prior",
    "PrivacyUndecided": "errors",
    "PrivacyViolation": "errors",
    "Process": "mechanisms.process",
    "Profile": "approximate",
    "Refutation": "combined",
    "Region": "partition",
    "RegionBox": "partition",
    "Renyi": "measures",
    "SamplerError": "errors",
    "Scenario": "scenario.scenario",
    "Secret": "knowledge.secret",
    "SolverError": "errors",
    "Stream": "model.stream",
    "StreamMechanism": "mechanisms.answering",
    "Tight": "verdict",
    "TradeOff": "measures",
    "Unknown": "verdict",
    "UsageError": "errors",
    "ValuesLimit": "verdict",
    "Verdict": "verdict",
    "Violated": "verdict",
    "Witness": "verdict",
    "WordsLimit": "families",
    "all_or_none": "knowledge.prior",
    "any_two": "knowledge.adjacency",
    "anything": "knowledge.secret",
    "assert_private": "api",
    "audit": "testing",
    "bracket": "testing",
    "by_record": "mechanisms.records",
    "calibrate": "api",
    "certify": "api",
    "check": "api",
    "compose": "api",
    "count": "knowledge.query",
    "differential_privacy": "knowledge.questions",
    "draw": "mechanisms.choices",
    "each_within": "knowledge.adjacency",
    "emit": "mechanisms.answering",
    "epsilon": "api",
    "flip": "mechanisms.choices",
    "fold": "knowledge.query",
    "independent": "knowledge.prior",
    "leakage": "api",
    "load": "api",
    "lump": "api",
    "markov_chain": "knowledge.prior",
    "mechanism": "mechanisms.mechanism",
    "mixture": "knowledge.prior",
    "one_record": "knowledge.adjacency",
    "one_within": "knowledge.adjacency",
    "parameter": "mechanisms.symbolic",
    "product": "knowledge.prior",
    "profile": "api",
    "pufferfish": "knowledge.questions",
    "record": "knowledge.secret",
    "refute": "testing",
    "region": "api",
    "renyi": "api",
    "stop": "mechanisms.answering",
    "stream": "mechanisms.answering",
    "table": "knowledge.prior",
    "tradeoff": "api",
    "verify": "api",
    "wasserstein": "knowledge.wasserstein",
    "zcdp": "api",
}

__all__ = [
    "HMM",
    "Belief",
    "Bounds",
    "Bracket",
    "Budget",
    "Calibration",
    "Claim",
    "Concentrated",
    "Distribution",
    "Divergence",
    "Event",
    "Evidence",
    "FaierError",
    "Gate",
    "Holds",
    "Leakage",
    "Mechanism",
    "MechanismError",
    "ModelError",
    "NotYetError",
    "NumberError",
    "OutOfTime",
    "Outcome",
    "Pair",
    "Point",
    "Prior",
    "PrivacyUndecided",
    "PrivacyViolation",
    "Process",
    "Profile",
    "Refutation",
    "Region",
    "RegionBox",
    "Renyi",
    "SamplerError",
    "Scenario",
    "Secret",
    "SolverError",
    "Stream",
    "StreamMechanism",
    "Tight",
    "TradeOff",
    "Unknown",
    "UsageError",
    "ValuesLimit",
    "Verdict",
    "Violated",
    "Witness",
    "WordsLimit",
    "all_or_none",
    "any_two",
    "anything",
    "assert_private",
    "audit",
    "bracket",
    "by_record",
    "calibrate",
    "certify",
    "check",
    "compose",
    "count",
    "differential_privacy",
    "draw",
    "each_within",
    "emit",
    "epsilon",
    "flip",
    "fold",
    "independent",
    "leakage",
    "library",
    "load",
    "lump",
    "markov_chain",
    "mechanism",
    "mixture",
    "noise",
    "one_record",
    "one_within",
    "parameter",
    "product",
    "profile",
    "pufferfish",
    "record",
    "refute",
    "region",
    "renyi",
    "stop",
    "stream",
    "table",
    "tradeoff",
    "verify",
    "wasserstein",
    "zcdp",
]


_MODULES = ("library", "noise")


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return import_module(f"faier.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'faier' has no attribute {name!r}")
    value: object = getattr(import_module(f"faier.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
