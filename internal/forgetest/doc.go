// Package forgetest tries the forge commands of contrib/forge with the real
// program, against a small HTTP server of its own that speaks what they use of
// GitHub's, GitLab's and Gitea's interfaces. It holds tests only.
//
// GitHub is asked through the real gh, which sends everything to the server's
// socket (its setting http_unix_socket). For glab and tea a stand-in plays, made of
// this package's test binary: it takes the options that the scripts use, refuses
// every other, and sends what they would send.
package forgetest
