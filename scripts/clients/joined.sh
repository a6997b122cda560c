#!/bin/sh
# Starts an engine that cannot read blanks between the moves of `position`, and takes these blanks out of what it is sent.
#
#     scripts/clients/joined.sh COMMAND [ARGUMENT ...]
#     scripts/clients/joined.sh java -jar oware.jar --roots none --leaves none service
#
# Samurai's service is such an engine: it takes the first word after `moves` for the whole list, so it would play on from
# the first move. `position startpos moves F f B` becomes `position startpos moves FfB`; all other lines pass unchanged.
# Needs a sed with -u (GNU, BSD), which passes each line on at once.
set -eu
sed -u -e ':again' -e 's/^\(position .* moves [^ ]*\) /\1/' -e 't again' | "$@"
