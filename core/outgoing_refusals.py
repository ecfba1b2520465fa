"""How a request to another site fails, in the words of `core.outgoing`."""

from core.errors import Refusal


class OutgoingRefused(Refusal):
    """Another site was not asked, or did not answer as it should.

    `was_sent`: the other site may have got some of the request, or all of it.
    """

    code = "outgoing"
    was_sent = False


class AddressNotAllowed(OutgoingRefused):
    """The address is not one of those that may be asked."""

    code = "address_not_allowed"


class Unreachable(OutgoingRefused):
    """The site cannot be reached from here: no network, or it does not answer."""

    code = "unreachable"


class TooSlow(OutgoingRefused):
    """The answer took longer than anybody waits."""

    code = "too_slow"


class TooBig(OutgoingRefused):
    """The answer has more bytes than such a thing needs."""

    code = "too_big"


class WrongStatus(OutgoingRefused):
    """The site answered, but not with what was asked.

    `details["status"]` is its number; `details["retry_after"]` is there when it says how long to
    wait.
    """

    code = "wrong_status"
