"""My page, logins with a passkey, and personal links."""

from hashlib import sha256
from typing import cast

from allauth.mfa.webauthn.views import login_webauthn
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.sessions.backends import signed_cookies
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core import rate_limits, secret_links
from core.addresses import counted_address
from core.text import with_full_stop
from players import logins, queries, services, sessions
from players.forms import LanguageForm, PlayerForm
from players.models import Player, User

CHALLENGE_COOKIE, CHALLENGE_SECONDS = "passkey_challenge", 300
CLAIM_KEY = secret_links.session_key("claim")
STATUS_GONE = 410


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def me(request: HttpRequest) -> HttpResponse:
    player = queries.current_player(request)
    if player is None and not request.user.is_authenticated:
        return render(request, "players/welcome.html")
    if request.user.is_authenticated and "language" in request.POST:
        return _save_language(request, request.user)
    form = PlayerForm(request.POST or None, instance=player)
    if request.method == "POST" and form.is_valid():
        _save_player(request, player, form)
        return redirect("players:me")
    if player is not None and form.errors:
        # The form writes the input to its instance; the page shows the stored values.
        player.refresh_from_db()
    context: dict[str, object] = {"player": player, "form": form}
    if request.user.is_authenticated:
        context["language_form"] = LanguageForm(instance=request.user)
    return render(request, "players/me.html", context)


@never_cache
@require_POST
def forget(request: HttpRequest) -> HttpResponse:
    guest = queries.claimed_guest(request)
    if request.session.pop(sessions.GUEST_KEY, None) is not None:
        # Only for guests: without a session this would create a session.
        request.session.cycle_key()
    if guest is not None:
        text = _("This device has forgotten %(player)s") % {"player": guest.name}
        messages.info(request, with_full_stop(text))
    return redirect("players:me")


class ChallengeStore(signed_cookies.SessionStore):
    """The challenge for a passkey, in a cookie of the browser that requested it."""

    def get_session_cookie_age(self) -> int:
        return CHALLENGE_SECONDS


def passkey_login(request: HttpRequest) -> HttpResponseBase:
    # The challenge is stored in a cookie, so that requests from strangers create no session. Each
    # challenge can be answered once.
    who = logins.last_account_key(request) or counted_address(request)
    if rate_limits.is_over("search", f"passkey:{who}"):
        return rate_limits.too_many_requests(request, rate_limits.seconds_left())
    if request.user.is_authenticated:
        return cast(HttpResponseBase, login_webauthn(request))
    return _answer_passkey(request) if request.method == "POST" else _passkey_challenge(request)


def _passkey_challenge(request: HttpRequest) -> HttpResponseBase:
    session, challenge = request.session, ChallengeStore()
    request.session = challenge
    try:
        answer: HttpResponseBase = login_webauthn(request)
    finally:
        request.session = session
    if not challenge.is_empty():
        challenge.save()
        answer.set_cookie(
            CHALLENGE_COOKIE,
            str(challenge.session_key),
            max_age=CHALLENGE_SECONDS,
            path=request.path,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Strict",
        )
    return answer


def _answer_passkey(request: HttpRequest) -> HttpResponseBase:
    cookie = request.COOKIES.get(CHALLENGE_COOKIE, "")
    used = f"passkey-answered:{sha256(cookie.encode()).hexdigest()}"
    challenge = dict(ChallengeStore(cookie).items())
    if challenge and rate_limits.increment_counter(used, CHALLENGE_SECONDS) == 1:
        request.session.update(challenge)
    answer: HttpResponseBase = login_webauthn(request)
    for key in challenge:
        request.session.pop(key, None)
    answer.delete_cookie(CHALLENGE_COOKIE, path=request.path, samesite="Strict")
    return answer


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def sessions_list(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    current = request.session.session_key
    if request.method == "POST":
        sessions.end_other_sessions(request.user, current)
        messages.info(request, _("All your other sessions have ended."))
        return redirect("players:sessions")
    rows = sessions.sessions_of(request.user, current)
    return render(request, "players/sessions.html", {"sessions": rows})


@never_cache
@require_safe
def claim(request: HttpRequest, secret: str) -> HttpResponse:
    return secret_links.redirect_without_secret(
        request,
        secret,
        what="claim",
        look_up=services.get_claimable_player,
        wrong=services.ClaimRefused,
        next_page="players:claim_confirm",
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def claim_confirm(request: HttpRequest) -> HttpResponse:
    # Link previews open the page, so the link is used up on confirmation only.
    digest = request.session.get(CLAIM_KEY, "")
    try:
        if request.method == "POST":
            return secret_links.mark_private(_use_claim(request, digest))
        player = services.get_claimable_player(digest)
    except services.ClaimRefused as refusal:
        request.session.pop(CLAIM_KEY, None)
        context = {"refusal": refusal, "player": queries.current_player(request)}
        return secret_links.mark_private(
            render(request, "players/claim_gone.html", context, status=STATUS_GONE)
        )
    except services.AccountHasPlayer as refusal:
        messages.error(request, str(refusal))
        return secret_links.mark_private(redirect("players:claim_confirm"))
    context = {"player": player, "current": queries.current_player(request)}
    return secret_links.mark_private(render(request, "players/claim.html", context))


def _use_claim(request: HttpRequest, digest: str) -> HttpResponse:
    if request.user.is_authenticated:
        player = services.claim_for_account(digest, request.user)
        sessions.renew_session(request)
    else:
        player = services.use_claim(digest)
        sessions.bind_guest(request, player)
    del request.session[CLAIM_KEY]
    messages.success(request, with_full_stop(_("Welcome, %(player)s") % {"player": player.name}))
    return redirect("tournaments:my_table")


def _save_language(request: HttpRequest, user: User) -> HttpResponse:
    form = LanguageForm(request.POST, instance=user)
    if form.is_valid():
        form.save()
        translation.activate(user.language or translation.get_language_from_request(request))
        messages.success(request, _("Saved. Pages without a translation are in English."))
    return redirect("players:me")


def _save_player(request: HttpRequest, player: Player | None, form: PlayerForm) -> None:
    name, pronouns = form.cleaned_data["name"], form.cleaned_data["pronouns"]
    try:
        if player is not None:
            services.rename_player(player, name, pronouns)
        elif request.user.is_authenticated:
            services.create_player(name, pronouns, user=request.user)
    except (
        services.AccountHasPlayer,
        services.NameNotUsable,
        services.PlayerErased,
    ) as refusal:
        messages.error(request, str(refusal))
        return
    messages.success(request, with_full_stop(_("Saved: %(name)s") % {"name": name}))
