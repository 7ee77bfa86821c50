#!/bin/sh
# Plays Claude Code as fast as a shell can: counts from 1 to the number in the prompt, a message each, then a result.
# `count 50`: with little pauses; `rush 50`: without; `leave 50`: leaves a child in a session of its own behind.
# `spell word`: says a word letter by letter.
[ "$1" = --version ] && echo '2.1.325 (Claude Code)' && exit 0
ids='"session_id":"565fa31e-b1db-443a-94a3-c9dbf5947026","uuid":"u"'
event() {
  echo '{"type":"stream_event","event":'"$1"',"parent_tool_use_id":null,"api_message_id":"m",'"$ids"'}'
}
spell() {
  event '{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{}}}'
  event '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'
  rest=$1
  while [ -n "$rest" ]; do
    event '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"'"${rest%"${rest#?}"}"'"}}'
    rest=${rest#?}
  done
  event '{"type":"content_block_stop","index":0}'
  event '{"type":"message_stop"}'
}
while read -r line; do
  case $line in
    *'"type":"user"'*) ;;
    *) continue ;;
  esac
  words=${line#*'"content":"'}
  words=${words%%'"'*}
  set -- $words
  echo '{"type":"system","subtype":"init","cwd":"/workspace","tools":[],"mcp_servers":[],"model":"claude-opus-5-5",'"$ids"'}'
  [ "$1" = leave ] && (setsid sleep 300 &)
  i=0
  [ "$1" = spell ] && spell "$2" && set -- rush 0
  while [ $i -lt "$2" ]; do
    i=$((i + 1))
    echo '{"type":"assistant","message":{"id":"m'$i'","type":"message","role":"assistant","model":"claude-opus-5-5","content":[{"type":"text","text":"<'$i'>"}],"usage":{}},'"$ids"'}'
    [ "$1" = rush ] || [ $((i % 5)) -ne 0 ] || sleep 0.05 # a process each: fewer of them leave more of the machine to the test
  done
  echo '{"type":"result","subtype":"success","is_error":false,"duration_ms":1,"num_turns":1,"result":"<'$i'>","total_cost_usd":0.01,"usage":{"input_tokens":1,"output_tokens":1},'"$ids"'}'
done
