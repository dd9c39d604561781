// A value or an Error, and two macros that return the Error to the caller.
//
//   Result<Fd> open_it() {
//     BAWN_ASSIGN(Fd dir, open_dir("/srv"));
//     BAWN_TRY(check(dir));
//     return dir;
//   }
//
// Both macros need an enclosing function that returns a Result. BAWN_ASSIGN expands to several
// statements, so it must not be the body of an `if` or a loop without braces.
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include "base/error.h"

namespace bawn {

// Owns its value or its error. [[nodiscard]]: the compiler warns if a caller ignores a Result.
template <class T>
class [[nodiscard]] Result {
 public:
  // Implicit, so that a function can return a value or an error without naming Result.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // value() is valid only if ok(), error() only if not. A mistake throws std::bad_variant_access;
  // it never returns garbage.
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  [[nodiscard]] const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

// The result of a function that returns nothing on success. A default-constructed one is a success.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] const Error& error() const { return error_.value(); }

 private:
  std::optional<Error> error_;
};

}  // namespace bawn

#define BAWN_JOIN_(a, b) a##b
#define BAWN_JOIN(a, b) BAWN_JOIN_(a, b)

// Returns the error of `expression` from the calling function, if it has one.
#define BAWN_TRY(expression)                                                 \
  do {                                                                       \
    if (auto bawn_try_ = (expression); !bawn_try_) return bawn_try_.error(); \
  } while (false)

// Declares `target` with the value of `expression`, or returns its error.
#define BAWN_ASSIGN(target, expression)                                                     \
  auto BAWN_JOIN(bawn_result_, __LINE__) = (expression);                                    \
  if (!BAWN_JOIN(bawn_result_, __LINE__)) return BAWN_JOIN(bawn_result_, __LINE__).error(); \
  target = std::move(BAWN_JOIN(bawn_result_, __LINE__)).value()
