// Standard input without its notes to standard output, in a memory that grows to 1 MiB; each note to standard error.
#include <iostream>
#include <string_view>
#include <vector>

#include "sidenote.h"

namespace {

constexpr std::size_t kCeiling = 1 << 20;

class Filter {
 public:
  Filter() { status_ = sidenote_filter_init(&state_, nullptr, 0, memory_.data(), memory_.size(), SIDENOTE_ON_FULL_GROW); }
  ~Filter() { sidenote_filter_discard(&state_); }
  Filter(const Filter&) = delete;  // the state must stay in its place
  Filter& operator=(const Filter&) = delete;

  bool push(std::string_view chunk) {
    while (status_ == SIDENOTE_STATUS_OK) {
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(chunk.data());
      const auto answer = sidenote_filter_push(&state_, bytes, chunk.size(), on_event, nullptr);
      status_ = answer.status;
      if (status_ == SIDENOTE_STATUS_OK) return true;
      grow();
      chunk.remove_prefix(answer.read);
    }
    return false;
  }

  bool end() {
    if (status_ == SIDENOTE_STATUS_OK) status_ = sidenote_filter_end(&state_, on_event, nullptr).status;
    return status_ == SIDENOTE_STATUS_OK;
  }

 private:
  void grow() {
    if (memory_.size() >= kCeiling) return;
    std::vector<std::uint8_t> larger(memory_.size() * 2);
    // In the largest memory, what can be given back is, and only a note that does not fit fails.
    const bool last = larger.size() >= kCeiling;
    const auto on_full = last ? SIDENOTE_ON_FULL_FAIL : SIDENOTE_ON_FULL_GROW;
    status_ = sidenote_filter_move(&state_, larger.data(), larger.size(), on_full);
    memory_.swap(larger);
  }

  static void on_event(void*, const sidenote_event* event) {
    const auto* bytes = reinterpret_cast<const char*>(event->bytes);
    const auto length = static_cast<std::streamsize>(event->length);
    if (event->kind == SIDENOTE_EVENT_KIND_TEXT) {
      std::cout.write(bytes, length).flush();
    } else if (event->kind == SIDENOTE_EVENT_KIND_REMOVED) {
      std::cerr.write(bytes, length) << '\n';
    }
  }

  std::vector<std::uint8_t> memory_ = std::vector<std::uint8_t>(256);
  sidenote_filter state_;
  sidenote_status status_;
};

}  // namespace

int main() {
  Filter filter;
  char chunk[4096];
  while (std::cin.read(chunk, sizeof chunk), std::cin.gcount() > 0) {
    if (!filter.push({chunk, static_cast<std::size_t>(std::cin.gcount())})) break;
  }
  if (!filter.end()) {
    std::cerr << "a note does not fit in " << kCeiling << " bytes\n";
    return 1;
  }
  return std::cout ? 0 : 2;
}
