package datasets

// published holds the digests of the published data sets, by their TU names: of the files
// whose sums are in scripts/SHA256SUMS, as package loader reads them.
var published = map[string]string{
	"BZR":           "fc68246eb8c879fc610f3c9b59f75a89a46312ff944cc064737766cf94d8a48f",
	"COX2":          "be86cab183b9f5ff431420dff8ada08342c3e61631a2f9002b425b44272579a0",
	"ENZYMES":       "c1c075e6c5595d94db682ba36a2dc7f092117b8b57137e8f63a963438a87e2e0",
	"IMDB-BINARY":   "d67d4479adad7236c179c2a4f98bac7005a577c81ccbd28ad612c6c3edff0fc4",
	"IMDB-MULTI":    "da6dd9dce87c4d695af2b9229b5bd25df832db81bac9dbd001896d1dba476476",
	"MUTAG":         "ccaec442335d87911b76d8c61339379b841d3dc5aa170ce0eb76cd74a436c079",
	"PROTEINS_full": "8dae90a9cc4c608d649fa957bfabdcb7187bb7043703c522a2e97b50247930d8",
	"PTC_MR":        "1f92d79e1922296600d2b63001e3cade6957d6f9624f6ecfc37296761c2e2c6d",
	"TRIANGLES":     "660fdef6eee748a64775ccdc4d60e78615a069d0891208438946741ab439650e",

	"twitch_egos_partial": "246c507894b179432d320464eb7db0f75d2afedf7572755de6d566b635142979",
}

// nodeLabels are what the published sets' own readme files say of their node labels 0, 1, and so
// on: atoms of molecules.
var nodeLabels = map[string][]string{
	"MUTAG":  {"C", "N", "O", "F", "I", "Cl", "Br"},
	"PTC_MR": {"In", "P", "O", "N", "Na", "C", "Cl", "S", "Br", "F", "K", "Cu", "Zn", "I", "Ba", "Sn", "Pb", "Ca"},
}

// NodeLabels names the node labels 0, 1, and so on of the published data set with this digest; nil
// where its readme names none.
func NodeLabels(digest string) []string {
	for name, labels := range nodeLabels {
		if published[name] == digest {
			return labels
		}
	}
	return nil
}

// PublishedDigest returns the digest (see [Dataset.ComputeDigest]) of a published data set, by its
// TU name or the paper's. For other sets it returns "", and for TWITCH-EGOS, whose published files
// have no checksum.
func PublishedDigest(name string) string { return published[TUName(name)] }
