package cli

import "flag"

var update = flag.Bool("update", false, "write pages and screens anew from what was seen")
