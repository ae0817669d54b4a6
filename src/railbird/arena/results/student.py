"""Student's t distribution: the tails behind intervals and p-values of few units.

P(|T| > t) with ν degrees of freedom is the regularized incomplete beta function I_x(ν/2, 1/2) at x = ν / (ν + t²). It
is computed by its continued fraction with Lentz's method; quantiles come from Newton steps on log P, kept inside a
bracket. Degrees of freedom need not be whole (Welch and Satterthwaite's are not).

>>> round(quantile(0.95, 9), 4), round(tail(2.2622, 9), 4)
(2.2622, 0.05)
"""

from functools import lru_cache
from math import exp, isinf, lgamma, log, log1p, pi, sqrt
from statistics import NormalDist

_TINY = 1e-300
"""Replaces a denominator of zero (Lentz's method)."""
_PRECISION = 1e-15
_NORMAL_FROM = 1e8
"""Degrees of freedom above which t and the normal distribution agree to about eight digits."""


def tail(t: float, freedom: float) -> float:
    """The probability that |T| is greater than `t`, for `t` ≥ 0."""
    if not t >= 0 or not freedom > 0:
        raise ValueError(
            f"t must be at least 0 and its degrees of freedom above 0, but they are {t} and {freedom}"
        )
    if isinf(t):
        return 0.0
    if freedom >= _NORMAL_FROM:
        return 2 * NormalDist().cdf(-t)
    a, b = freedom / 2, 0.5
    far = t * t / (freedom + t * t)
    near = freedom / (freedom + t * t)
    if far == 0:
        return 1.0
    # x^a (1 − x)^b / B(a, b), where x is `near`; a·log(x) in a form that keeps its digits when ν is large.
    front = exp(-a * log1p(t * t / freedom) + b * log(far) + _log_gamma_step(a)) / sqrt(pi)
    # The fraction converges quickly on one side of the mean of the beta distribution; I_x(a, b) = 1 − I_{1−x}(b, a).
    if near < (a + 1) / (a + b + 2):
        return front * _continued_fraction(a, b, near) / a
    return 1 - front * _continued_fraction(b, a, far) / b


@lru_cache(maxsize=4096)
def quantile(confidence: float, freedom: float) -> float:
    """The t for which |T| ≤ t has the probability `confidence`."""
    if not 0 < confidence < 1 or not freedom > 0:
        raise ValueError(
            f"a confidence between 0 and 1 and degrees of freedom above 0 are expected, not {confidence} and {freedom}"
        )
    wanted = log1p(-confidence)
    if freedom >= _NORMAL_FROM:
        return -NormalDist().inv_cdf((1 - confidence) / 2)
    low, high = 0.0, 1.0
    while log(max(tail(high, freedom), _TINY)) > wanted:
        low, high = high, 2 * high
    t = (low + high) / 2
    for _ in range(200):
        probability = tail(t, freedom)
        miss = log(max(probability, _TINY)) - wanted
        if miss > 0:
            low = t
        else:
            high = t
        # d log P / dt = −2·density(t) / P
        step = t + miss * probability / (2 * _density(t, freedom))
        following = step if low < step < high else (low + high) / 2
        if abs(following - t) <= 4 * _PRECISION * t:
            return following
        t = following
    return t


def _density(t: float, freedom: float) -> float:
    """The density of Student's t distribution."""
    return exp(_log_gamma_step(freedom / 2) - (freedom + 1) / 2 * log1p(t * t / freedom)) / sqrt(pi * freedom)


def _log_gamma_step(a: float) -> float:
    """Log Γ(a + 1/2) − log Γ(a), for large a by its series: there the two logarithms would cancel."""
    if a < 30:
        return lgamma(a + 0.5) - lgamma(a)
    return 0.5 * log(a) - 1 / (8 * a) + 1 / (192 * a**3) - 1 / (640 * a**5) + 17 / (14336 * a**7)


def _continued_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, without its front factor."""
    numerator = 1.0
    denominator = 1 / (1 - (a + b) * x / (a + 1) or _TINY)
    value = denominator
    place = 1
    while True:
        even = place * (b - place) * x / ((a + 2 * place - 1) * (a + 2 * place))
        odd = -(a + place) * (a + b + place) * x / ((a + 2 * place) * (a + 2 * place + 1))
        for term in (even, odd):
            denominator = 1 / (1 + term * denominator or _TINY)
            numerator = 1 + term / numerator or _TINY
            change = numerator * denominator
            value *= change
        if abs(change - 1) < _PRECISION:
            return value
        place += 1
