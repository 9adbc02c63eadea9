"""Ask a model over HTTP: with Anthropic's Messages API, or the chat completions API of OpenAI and local servers."""

from __future__ import annotations

import json

from limpet.errors import ModelFailed
from limpet.llm.protocol import Reply, Request
from limpet.text.tokens import count_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_URLS = {"anthropic": "https://api.anthropic.com", "openai": "https://api.openai.com/v1"}
_VERSION = "2023-06-01"
_LONGEST_REPLY = 1_000_000
_LONGEST_ERROR = 200


class Endpoint:
    """A model behind an HTTP endpoint; `form` is `anthropic` or `openai`."""

    def __init__(self, form: str, *, url: str, model: str, key: str, timeout: float) -> None:
        if not model:
            raise ModelFailed(f"set llm.model to the name of a model that the {form} endpoint has")
        self.name = f"{form}:{model}"
        self._form, self._model, self._key, self._timeout = form, model, key, timeout
        self._url = (url or _URLS[form]).rstrip("/")

    def ask(self, request: Request) -> Reply:
        """Return the reply of the endpoint; raise ModelFailed if it does not contain a text in the known form."""
        if self._form == "anthropic":
            answer = self._post(
                f"{self._url}/v1/messages",
                headers={"x-api-key": self._key, "anthropic-version": _VERSION},
                body={
                    "model": self._model,
                    "max_tokens": request.most_tokens,
                    "system": request.instructions,
                    "messages": [{"role": "user", "content": request.text}],
                },
            )
            return self._read(answer, request, _anthropic_text, "input_tokens", "output_tokens")
        answer = self._post(
            f"{self._url}/chat/completions",
            headers={"authorization": f"Bearer {self._key}"} if self._key else {},
            body={
                "model": self._model,
                "max_tokens": request.most_tokens,
                "messages": [
                    {"role": "system", "content": request.instructions},
                    {"role": "user", "content": request.text},
                ],
            },
        )
        return self._read(answer, request, _openai_text, "prompt_tokens", "completion_tokens")

    def _post(self, url: str, *, headers: dict[str, str], body: dict[str, Any]) -> Any:
        # Loaded here: only who asks a model pays for the HTTP client.
        import httpx2

        try:
            with httpx2.Client(timeout=self._timeout, follow_redirects=False, trust_env=True) as client:
                response = client.post(url, headers=headers, json=body)
        except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:
            raise ModelFailed(f"the endpoint could not be reached: {type(error).__name__}") from None
        if response.status_code != 200:
            raise ModelFailed(f"the endpoint answered {response.status_code}: {response.text[:_LONGEST_ERROR]}")
        if len(response.content) > _LONGEST_REPLY:
            raise ModelFailed("the endpoint's answer is too long")
        try:
            return json.loads(response.content)
        except (ValueError, RecursionError):
            raise ModelFailed("the endpoint's answer is not JSON") from None

    def _read(self, answer: Any, request: Request, find_text: Any, asked: str, said: str) -> Reply:
        try:
            text = find_text(answer)
        except (KeyError, IndexError, TypeError):
            text = None
        if not isinstance(text, str):
            raise ModelFailed("the endpoint's answer has no text")
        used = answer.get("usage")
        counts = used if isinstance(used, dict) else {}
        spent, made = counts.get(asked), counts.get(said)
        return Reply(
            text=text,
            tokens_in=spent if isinstance(spent, int) else count_tokens(request.instructions + request.text),
            tokens_out=made if isinstance(made, int) else count_tokens(text),
        )


def _anthropic_text(answer: Any) -> str:
    return "".join(block["text"] for block in answer["content"] if block.get("type") == "text")


def _openai_text(answer: Any) -> Any:
    return answer["choices"][0]["message"]["content"]
