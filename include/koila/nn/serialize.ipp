// Definitions of serialize.hpp.
#include <koila/ops/family/definitions.hpp>

#include <ATen/core/Dict.h>
#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/serialization/export.h>
#include <torch/csrc/jit/serialization/pickle.h>
#include <torch/csrc/jit/serialization/pickler.h>

#include <cstdio>
#include <fstream>

namespace koila::detail {

/// As torch::jit::pickle_save, but without the tags of types, which Python's torch.load takes for code, and refuses.
KOILA_COLD inline auto pickled(const c10::Dict<std::string, at::Tensor>& all) -> std::string {
  std::string data, out;
  torch::jit::Pickler pickler([&](const char* bytes, std::size_t n) { data.append(bytes, n); }, nullptr, nullptr, nullptr,
                              nullptr, false);
  pickler.protocol();
  pickler.pushIValue(all);
  pickler.stop();
  caffe2::serialize::PyTorchStreamWriter writer([&](const void* bytes, std::size_t n) {
    out.append(static_cast<const char*>(bytes), n);
    return n;
  });
  torch::jit::writeArchiveAndTensors("data", data.data(), data.size(), pickler.tensorData(), writer);
  writer.writeEndOfFile();
  return out;
}

KOILA_COLD KOILA_INLINE void save_leaves(const std::vector<named_leaf>& leaves, const std::string& file) {
  c10::Dict<std::string, at::Tensor> all;
  for (const named_leaf& l : leaves) all.insert(l.name, l.tensor().detach().cpu());  // to be read anywhere
  const std::string bytes = pickled(all);
  const std::string beside = file + ".part";  // so that a file that is there stays whole until the new one is
  {
    std::ofstream out(beside, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) {
      std::remove(beside.c_str());
      throw std::runtime_error("save: cannot write " + file);
    }
  }
  if (std::rename(beside.c_str(), file.c_str()) != 0) {
    std::remove(beside.c_str());
    throw std::runtime_error("save: cannot write " + file);
  }
}

KOILA_COLD KOILA_INLINE auto read_tensors(const std::string& file) -> std::vector<std::pair<std::string, at::Tensor>> {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("load: cannot read " + file);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const auto refuse_it = [&] {
    return std::runtime_error(
        "load: " + file + " is no dictionary of tensors; of a state_dict torch.save(dict(net.state_dict()), file) writes one");
  };
  c10::IValue value;
  try {
    value = torch::jit::pickle_load(bytes);
  } catch (const c10::Error&) { throw refuse_it(); }
  if (!value.isGenericDict()) throw refuse_it();
  std::vector<std::pair<std::string, at::Tensor>> out;
  for (const auto& entry : value.toGenericDict()) {
    if (!entry.key().isString() || !entry.value().isTensor()) throw refuse_it();
    out.push_back({entry.key().toStringRef(), entry.value().toTensor()});
  }
  return out;
}

}  // namespace koila::detail
