"""BERT as a review classifier: with random weights, on a pretrained encoder, or from a file."""

import json
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as to_bytes
from torch import nn
from transformers import BertConfig, BertForSequenceClassification, BertModel
from transformers.modeling_outputs import SequenceClassifierOutput
from transformers.utils import logging

from labs.files import reading, write_bytes
from labs.models import untrained
from labs.models.untrained import LABELS


def bert_tiny(seed: int, **changes: int) -> BertForSequenceClassification:
    """Return BERT-tiny with the random weights of a seed; see ``untrained.bert_tiny``."""
    torch.manual_seed(seed)
    return untrained.bert_tiny(**changes)


def pretrained(source: str, seed: int) -> BertForSequenceClassification:
    """Return a pretrained BERT as a classifier; a missing head gets random weights.

    ``source`` is a folder with config.json and model.safetensors, or a model's name on the Hugging
    Face hub. Raises SystemExit with advice when the model cannot be loaded.
    """
    torch.manual_seed(seed)
    try:
        model: BertForSequenceClassification = BertForSequenceClassification.from_pretrained(
            source, use_safetensors=True, num_labels=LABELS, dtype=torch.float32
        )
    except (OSError, ValueError, SafetensorError) as error:
        raise SystemExit(
            f"error: the model {source} cannot be loaded: {error}; it needs config.json and "
            "model.safetensors, in a folder or on a reachable hub; "
            "model.source: scratch needs neither"
        ) from error
    return model


class MeanPooled(nn.Module):
    """A linear classifier on the mean of an encoder's last hidden states over the real tokens.

    For encoders trained to embed sentences by that mean; their first token alone says little.
    """

    def __init__(self, encoder: BertModel) -> None:
        super().__init__()
        self.encoder = encoder
        self.classifier = nn.Linear(encoder.config.hidden_size, LABELS)

    def forward(
        self, tokens: torch.Tensor, attention_mask: torch.Tensor
    ) -> SequenceClassifierOutput:
        """Return (n, 2) logits for (n, length) tokens; the mask is 1 at real tokens."""
        states = self.encoder(tokens, attention_mask=attention_mask).last_hidden_state
        real = attention_mask[:, :, None].to(states.dtype)
        mean = (states * real).sum(dim=1) / real.sum(dim=1)
        return SequenceClassifierOutput(logits=self.classifier(mean))


def on_encoder(encoder: Path, layers: int, seed: int) -> MeanPooled:
    """Return a classifier on the first layers of the encoder in a folder; its head is random."""
    # transformers would report every omitted layer as unexpected.
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    torch.manual_seed(seed)
    bert = BertModel.from_pretrained(
        encoder,
        use_safetensors=True,
        num_hidden_layers=layers,
        add_pooling_layer=False,
        dtype=torch.float32,
    )
    return MeanPooled(bert)


def save(model: BertForSequenceClassification, path: Path, **notes: str) -> None:
    """Write a classifier's weights, configuration and notes as one safetensors file, atomically."""
    tensors = {
        name: tensor.detach().cpu().contiguous() for name, tensor in model.state_dict().items()
    }
    notes["config"] = json.dumps(model.config.to_dict())
    write_bytes(path, to_bytes(tensors, notes))


def load(path: Path) -> BertForSequenceClassification:
    """Return the classifier that ``save`` wrote."""
    with reading(path, SafetensorError), safe_open(path, framework="pt") as file:
        config = BertConfig.from_dict(json.loads(file.metadata()["config"]))
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    model = BertForSequenceClassification(config)
    model.load_state_dict(tensors)
    return model


def metadata(path: Path) -> dict[str, str]:
    """Return the notes that ``save`` wrote, including the configuration."""
    with reading(path, SafetensorError), safe_open(path, framework="pt") as file:
        notes: dict[str, str] = file.metadata()
    return notes


def trainable_parameters(model: nn.Module) -> int:
    """Return the number of trainable parameters."""
    return sum(weight.numel() for weight in model.parameters() if weight.requires_grad)
