from django.urls import path

from players import views

app_name = "players"
urlpatterns = [
    path("me/", views.me, name="me"),
    path("me/forget/", views.forget, name="forget"),
    path("account/sessions/", views.sessions_list, name="sessions"),
    path("claim/", views.claim_confirm, name="claim_confirm"),
    path("claim/<str:secret>/", views.claim, name="claim"),
]
