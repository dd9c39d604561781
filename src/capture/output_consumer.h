// A function that takes the output of one stream as it comes, after quota and filter. It returns 0,
// or the errno with which the bytes were lost: then it gets no more, and the outcome tells.
//
// It is called by the thread that steps the run, with bytes that are borrowed for the call. It must
// not wait: the run's deadlines wait with it.
#pragma once

#include <functional>
#include <string_view>

namespace bawn {

using OutputConsumer = std::function<int(std::string_view bytes)>;

}  // namespace bawn
