// Package report owns how a whole run is shown to whoever reviews it: one HTML
// page that needs nothing but itself, and Markdown for a pull request.
//
// It never asks git or a clock and decides nothing about a run; what it shows
// is a run.Review, and every text in it is foreign and escaped.
//
//	err := report.HTML(w, review, made)
package report
