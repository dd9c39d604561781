// No invisible character reaches a reader of bawn's messages. This tries every such character in
// every place that shows a name or captured output. The command's own output is passed on as it is.

#include <gtest/gtest.h>

#include "base/text.h"
#include "caller.h"
#include "printed_json.h"
#include "unseen_cases.h"

namespace bawn {
namespace {

using Json = nlohmann::json;

// The text as a reader sees it: JSON after parsing, other text as it is.
std::string as_read(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return text;
  const Json flat = json.flatten();
  std::string out;
  for (const auto& item : flat.items()) {
    const auto& value = item.value();
    out += concat(item.key(), value.is_string() ? value.get<std::string>() : value.dump(), "\n");
  }
  return out;
}

struct VisibleCase {
  const char* name;
  Answer (*call)(const Caller& caller, const std::string& word);
};

std::string request_text(const std::string& word) {
  return Json{{"command", "printf"}, {"args", {"%s", concat("x", word)}}}.dump();
}

Answer with_policy(const Caller& caller, const Words& words, const Json& policy) {
  Words all = words;
  all.push_back(caller.file_outside("p.json", policy.dump()));
  return caller.call(all);
}

const std::vector<VisibleCase>& places() {
  static const std::vector<VisibleCase> all{
      {"a subcommand",
       [](const Caller& c, const std::string& w) { return c.call({concat("r", w, "n")}); }},
      {"an option",
       [](const Caller& c, const std::string& w) {
         return c.call({"run", concat("--x", w)});
       }},
      {"a level",
       [](const Caller& c, const std::string& w) {
         return c.call({"run", "--log-level", w, "--", "true"});
       }},
      {"a program",
       [](const Caller& c, const std::string& w) {
         return c.call({"run", "--", concat("x", w)});
       }},
      {"a path",
       [](const Caller& c, const std::string& w) {
         return c.call({"run", "--workspace", concat("/x", w), "--", "true"});
       }},
      {"run --json of a denial",
       [](const Caller& c, const std::string& w) {
         return c.call({"run", "--json", "--", concat("x", w)});
       }},
      {"run --json of output",
       [](const Caller& c, const std::string& w) {
         return c.call({"run", "--tier", "b", "--json", "--", "printf", "%s", concat("x", w)});
       }},
      {"check",
       [](const Caller& c, const std::string& w) {
         return c.call({"check", "--", concat("x", w)});
       }},
      {"check --json",
       [](const Caller& c, const std::string& w) {
         const Json request{{"command", "cat"}, {"cwd", concat("/x", w)}};
         const std::string file = c.file_outside("r.json", request.dump());
         return c.call(
             {"check", "--json", "--mode", "agent", "--allow-exec", "cat", "--request", file});
       }},
      {"explain",
       [](const Caller& c, const std::string& w) {
         return c.call({"explain", "--tier", "b", "--", "printf", concat("x", w)});
       }},
      {"explain --json",
       [](const Caller& c, const std::string& w) {
         return c.call({"explain", "--tier", "b", "--json", "--", "printf", concat("x", w)});
       }},
      {"explain of a variable",
       [](const Caller& c, const std::string& w) {
         return c.call({"explain", "--tier", "b", "--env", concat("LC_X=y", w), "--", "true"});
       }},
      {"exec",
       [](const Caller& c, const std::string& w) {
         return c.call({"exec", "--tier", "b", "--mode", "agent", "--allow-exec", "printf"},
                       {.in = request_text(w)});
       }},
      {"exec of a broken request",
       [](const Caller& c, const std::string& w) {
         const Json request{{concat("comm", w), 1}};
         return c.call({"exec", "--mode", "agent"}, {.in = request.dump()});
       }},
      {"a policy's key",
       [](const Caller& c, const std::string& w) {
         return with_policy(c, {"policy", "show"}, {{concat("lim", w), 1}});
       }},
      {"a policy's value",
       [](const Caller& c, const std::string& w) {
         return with_policy(c, {"policy", "lint"}, {{"egress", {{"mode", concat("block", w)}}}});
       }},
      {"a policy's host",
       [](const Caller& c, const std::string& w) {
         return with_policy(c, {"policy", "lint"},
                            {{"egress", {{"hosts", {concat("ex", w, ".com")}}}}});
       }},
      {"a remark of lint",
       [](const Caller& c, const std::string& w) {
         const std::string name = concat("x", w);
         return with_policy(c, {"policy", "lint"},
                            {{"executables", {{"allow", {name}}, {"block", {name}}}}});
       }},
      {"a policy's file",
       [](const Caller& c, const std::string& w) {
         return c.call({"policy", "lint", concat("./x", w, ".json")});
       }},
  };
  return all;
}

TEST(Visible, EveryUnseenCharacterInEveryPlace) {
  const Caller caller;
  for (const VisibleCase& place : places()) {
    for (const UnseenCase& c : kUnseenCases) {
      const Answer answer = place.call(caller, std::string(c.text));
      const std::string all = as_read(answer.out) + as_read(answer.err);
      EXPECT_EQ(all.find(c.text), std::string::npos) << place.name << ": " << c.shown << "\n"
                                                     << all;
      EXPECT_NE(all.find(c.shown), std::string::npos) << place.name << ": " << c.shown << "\n"
                                                      << all;
    }
  }
}

// bawn reads a policy again, so its escapes are JSON's and can be undone.
TEST(Visible, APolicyThatIsShownHasEscapesThatJsonUndoes) {
  const Caller caller;
  const std::string file = caller.file_outside(
      "p.json", R"({"environment": {"set": {"LC_X": "a\u202eb\udb40\udc41"}}})");
  const Answer shown = caller.call({"policy", "show", file});
  EXPECT_NE(shown.out.find(R"("a\u202eb\udb40\udc41")"), std::string::npos)
      << shown.out << shown.err;
  const Answer again = caller.call({"policy", "show", caller.file_outside("q.json", shown.out)});
  EXPECT_NE(again.out.find(R"("a\u202eb\udb40\udc41")"), std::string::npos)
      << again.out << again.err;
}

TEST(Visible, OutputOnItsWayThroughStaysAsItIs) {
  const Caller caller;
  std::string all;
  for (const UnseenCase& c : kUnseenCases) all += c.text;
  EXPECT_EQ(caller.call({"run", "--tier", "b", "--", "printf", "%s", all}).out, all);
}

}  // namespace
}  // namespace bawn
