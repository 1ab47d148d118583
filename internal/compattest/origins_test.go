package compattest

import (
	"fmt"
	"strings"
	"testing"
)

// compatPlan has six steps, each with what it does under a name of its own.
func compatPlan() string {
	plan := "title: everywhere\nbase: main\nsteps:\n"
	for i := 1; i <= 6; i++ {
		plan += fmt.Sprintf("  - {id: s0%[1]d, title: write %[1]d, touches: [\"a/s0%[1]d*\", \"a/s0%[1]d*/**\"], check: [\"grep -q done a/s0%[1]d.txt\"]}\n", i)
	}
	return plan
}

// compatWork is what a step does besides writing two files, by origin.
var compatWork = map[string]string{
	"case":  `test ! -e a/$s-Name || mv a/$s-Name a/$s-name; echo $what > a/$s-name`,
	"names": `for n in ' b' '"q"' "$(printf 'new\nline')" "$(printf 'latin\351')" '-x' ':(top)' '[*]' 'back\slash'; do echo $what > "a/$s$n"; done`,
	"module": `if test -e a/$s-module/.git
then
	git -C a/$s-module -c user.name=x -c user.email=x@x commit -q --allow-empty -m $what
	git -C a/$s-module push -q origin HEAD:refs/heads/$s-$(git -C a/$s-module rev-parse HEAD)
fi`,
	"filter": `echo $what > a/$s.bin`,
	"eol":    `printf '%s\r\n' $what > a/$s-crlf.txt`,
}

// compatBase is what an origin's first commit holds besides the steps' files.
var compatBase = map[string]string{
	"plain":  ``,
	"sha256": ``,
	"case":   `for i in 1 2 3 4 5 6; do echo todo > a/s0$i-Name; done`,
	"names":  `echo x > "a/$(printf 'z\n\351')"`,
	"eol":    `echo '*.txt text=auto' > .gitattributes; echo '*-crlf.txt text eol=crlf' >> .gitattributes; printf 'b\r\n' > b/crlf.txt`,
	"filter": `echo '*.bin filter=up' > .gitattributes; for i in 1 2 3 4 5 6; do echo todo > a/s0$i.bin; done; echo else > b/else.bin`,
	"beside": `git init -q -b main "$D/inner"; git -C "$D/inner" commit -q --allow-empty -m one
git clone -q --bare "$D/inner" "$D/origin.git/inner.git"
git -c protocol.file.allow=always submodule --quiet add "$D/inner" b/module; git config -f .gitmodules submodule.b/module.url ./inner.git`,
	"module": `git init -q -b main "$D/inner"; git -C "$D/inner" commit -q --allow-empty -m one
git clone -q --bare "$D/inner" "$D/origin.git/inner.git"
for i in 3 4 5 6
do
	git -c protocol.file.allow=always submodule --quiet add "$D/inner" a/s0$i-module
	git config -f .gitmodules submodule.a/s0$i-module.url ./inner.git
done`,
}

// upFilter is a clean and smudge filter as git-lfs has them: the working tree
// holds another content than the objects.
const upFilter = `git config --global filter.up.clean 'tr a-z A-Z'; git config --global filter.up.smudge 'tr A-Z a-z'; git config --global filter.up.required true; `

// compatOrigin makes a remote that holds a run whose first two steps are
// certified; two commits came to main since.
const compatOrigin = `mkdir -p home work/a work/b
FORMAT=%s
git init -q --bare -b main --object-format=$FORMAT origin.git
git -C origin.git config uploadpack.allowFilter true
git -C origin.git config uploadpack.allowAnySHA1InWant true
cd work
git init -q -b main --object-format=$FORMAT
git remote add origin "$URL"
` + upFilter + `
for i in 1 2 3 4 5 6; do echo todo > a/s0$i.txt; done
echo 1 > b/one
%s
git add -A; git commit -q -m base; git push -q origin main
git-agent start ../plan.yaml --run r-1
git-agent step s01 -- sh -euc 's=s01 what=done; echo $what > a/$s.txt; %[3]s'
git-agent step s02 -- sh -euc 's=s02 what=done; echo $what > a/$s.txt; %[3]s'
git checkout -q main
for i in 2 3; do echo $i > b/one; git commit -q -a -m later; done
git push -q origin main
rm -rf ../work ../inner
`

// compatOrigins makes them all, each once.
func compatOrigins(t *testing.T) map[string]string {
	t.Helper()
	made := map[string]string{}
	for name, base := range compatBase {
		c := &compatClone{t: t, dir: t.TempDir()}
		c.work = c.dir
		format := "sha1"
		if name == "sha256" {
			format = name
		}
		c.must("cat > plan.yaml <<'EOF'\n" + compatPlan() + "EOF\n")
		c.must(fmt.Sprintf(compatOrigin, format, base, strings.ReplaceAll(compatWork[name], "'", `'\''`)))
		made[name] = c.dir
	}
	return made
}
