// Owns an object whose type only one .cc file knows: the State of a class that hides its members.
//
// The class then needs no destructor and no moves of its own. A moved-from Hidden is null.
#pragma once

#include <memory>
#include <utility>

namespace bawn {

template <class State>
using Hidden = std::unique_ptr<State, void (*)(State*)>;

template <class State, class... Arguments>
[[nodiscard]] Hidden<State> make_hidden(Arguments&&... arguments) {
  return {new State(std::forward<Arguments>(arguments)...), [](State* state) { delete state; }};
}

}  // namespace bawn
