"""Glicko-2 implemented from the paper, independent of the product and its library."""

import math
from collections.abc import Sequence


def by_the_paper(
    own: tuple[float, float, float], results: Sequence[tuple[float, float, float]]
) -> tuple[float, float, float]:
    """Return (rating, deviation, volatility) after a period of results.

    `results` has (rating, deviation, score) of each opponent. Steps 2 to 8 of the paper on the
    public scale; the volatility is found by bisection.
    """
    scale, tau = 173.7178, 0.5
    mu, phi, sigma = (own[0] - 1500) / scale, own[1] / scale, own[2]
    terms = []
    for rating, deviation, score in results:
        g = 1 / math.sqrt(1 + 3 * (deviation / scale) ** 2 / math.pi**2)
        expected = 1 / (1 + math.exp(-g * (mu - (rating - 1500) / scale)))
        terms.append((g, expected, score))
    v = 1 / sum(g * g * e * (1 - e) for g, e, _ in terms)
    delta = v * sum(g * (s - e) for g, e, s in terms)

    def f(x: float) -> float:
        grown = phi**2 + v + math.exp(x)
        slope = math.exp(x) * (delta**2 - grown) / (2 * grown**2)
        return slope - (x - math.log(sigma**2)) / tau**2

    low, high = -30.0, 10.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    sigma = math.exp(low / 2)
    phi = 1 / math.sqrt(1 / (phi**2 + sigma**2) + 1 / v)
    mu += phi**2 * sum(g * (s - e) for g, e, s in terms)
    return 1500 + mu * scale, min(350.0, phi * scale), sigma
