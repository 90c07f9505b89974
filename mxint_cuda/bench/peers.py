"""Layers of other libraries, on the CPU: int8 weights with a scale for every 32 of them, as MXINT8
has.  They are given MXINT8's own mantissas and scales, so that all multiply by the same weight.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import metadata, util
from typing import Any

import ggml
import torch

GROUP_SIZE = 32

Layer = Callable[[torch.Tensor], torch.Tensor]


@dataclass(frozen=True)
class Peer:
    """A library's way to multiply.

    ``layer`` makes a layer of float32 activations from int8 mantissas of (outputs, inputs), the
    float32 scales of their groups, and a number of threads.  ``quantizes`` says whether the
    activations are quantized, too.
    """

    package: str
    layer: Callable[[torch.Tensor, torch.Tensor, int], Layer]
    quantizes: bool

    def missing(self) -> bool:
        """Return whether the library is not installed."""
        return util.find_spec(self.package) is None

    @property
    def version(self) -> str:
        """Return the library's version."""
        return metadata.version(metadata.packages_distributions()[self.package][0])


def of_onnxruntime(mantissa: torch.Tensor, scale: torch.Tensor, threads: int) -> Layer:
    """Return onnxruntime's MatMulNBits of eight bits, whose activations are quantized to int8."""
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper

    outputs, inputs = mantissa.shape
    node = helper.make_node(
        "MatMulNBits",
        ["x", "weight", "scale"],
        ["y"],
        domain="com.microsoft",
        K=inputs,
        N=outputs,
        bits=8,
        block_size=GROUP_SIZE,
        accuracy_level=4,
    )
    bytes_of_groups = (mantissa.int() + 128).to(torch.uint8).view(outputs, -1, GROUP_SIZE)
    graph = helper.make_graph(
        [node],
        "layer",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, inputs])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None, outputs])],
        [
            numpy_helper.from_array(bytes_of_groups.numpy(), "weight"),
            numpy_helper.from_array(scale.contiguous().numpy(), "scale"),
        ],
    )
    domains = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=domains, ir_version=10)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    return lambda x: torch.from_numpy(session.run(None, {"x": x.numpy()})[0])


def of_openvino(
    mantissa: torch.Tensor, scale: torch.Tensor, threads: int, quantizes: bool
) -> Layer:
    """Return OpenVINO's product with a compressed weight."""
    import openvino
    from openvino import opset13 as ops

    outputs, inputs = mantissa.shape
    x = ops.parameter([-1, inputs], openvino.Type.f32)
    groups = ops.constant(mantissa.view(outputs, -1, GROUP_SIZE).numpy(), openvino.Type.i8)
    scales = ops.constant(scale.view(outputs, -1, 1).numpy(), openvino.Type.f32)
    decoded = ops.multiply(ops.convert(groups, "f32"), scales)
    weight = ops.reshape(decoded, [outputs, inputs], special_zero=False)
    model = openvino.Model([ops.matmul(x, weight, False, True)], [x])
    settings: dict[str, Any] = {
        "INFERENCE_NUM_THREADS": threads,
        "INFERENCE_PRECISION_HINT": "f32",
        "DYNAMIC_QUANTIZATION_GROUP_SIZE": GROUP_SIZE if quantizes else 0,
    }
    request = openvino.Core().compile_model(model, "CPU", settings).create_infer_request()
    return lambda x: torch.from_numpy(request.infer([x.numpy()], share_inputs=True)[0])


PEERS = {
    "onnxruntime, int8 x int8": Peer("onnxruntime", of_onnxruntime, quantizes=True),
    "OpenVINO, int8 x int8": Peer("openvino", partial(of_openvino, quantizes=True), quantizes=True),
    "llama.cpp, int8 x int8": Peer("llama_cpp", ggml.Layer, quantizes=True),
    "OpenVINO, float32 x int8": Peer(
        "openvino", partial(of_openvino, quantizes=False), quantizes=False
    ),
}
