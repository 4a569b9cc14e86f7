/**
 * A certificate authority and certificates that exist for the tests of this package alone: they guard nothing.
 * Only tests import it.
 */

/** The authority that signed the others; valid until 2126. */
export const caCertificate = `-----BEGIN CERTIFICATE-----
MIIBkDCCATegAwIBAgIUA+tg3d0Q6qHiwNAvcNpq7yhsyWkwCgYIKoZIzj0EAwIw
HTEbMBkGA1UEAwwSSGVsaW9ncmFwaCB0ZXN0IENBMCAXDTI2MTEyMTAzMTUzMloY
DzIxMjYxMDI4MDMxNTMyWjAdMRswGQYDVQQDDBJIZWxpb2dyYXBoIHRlc3QgQ0Ew
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASh7T7/ORd/hvlcmWdOWU822nEHnJ/T
+0doL/0tEYvRpuI2U//NPz3gUBeyhfxbdR0pZ0/Loc2pKnE6NLeO8Ym/o1MwUTAd
BgNVHQ4EFgQUahSLqzuPifKSWdExg7DkV4dJoz0wHwYDVR0jBBgwFoAUahSLqzuP
ifKSWdExg7DkV4dJoz0wDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBE
AiAJrPOcVWnZzmo4pqxuZ8AZM77CF2+Od7YEcwmBL8ySwwIgHcsUZ6st/e/Pj8lu
K2CkLqnVefIbpkQtY7HE2RFRtw0=
-----END CERTIFICATE-----
`;

/** For the name smsc.example; valid until 2126. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBkjCCATmgAwIBAgIUNffuAvfW7kQHa6UAY10mz3BD8mIwCgYIKoZIzj0EAwIw
HTEbMBkGA1UEAwwSSGVsaW9ncmFwaCB0ZXN0IENBMCAXDTI2MTEyMTAzMTUzMloY
DzIxMjYxMDI4MDMxNTMyWjAXMRUwEwYDVQQDDAxzbXNjLmV4YW1wbGUwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAAQv+c7bjGALZpzP8yjCa0Zlbtac9EJ244ATOIQ1
zNBfG3CpZGb+mk5lAhlPRuoztfgh2fDmBYT/SV55y9aAyHwXo1swWTAXBgNVHREE
EDAOggxzbXNjLmV4YW1wbGUwHQYDVR0OBBYEFE7/DLbcG+fQkHVJ3nsWCykpep3c
MB8GA1UdIwQYMBaAFGoUi6s7j4nyklnRMYOw5FeHSaM9MAoGCCqGSM49BAMCA0cA
MEQCIAK6aaxqUaLXLo3jmdBVsrFMkqGNVyrN+GKzOLfk86QIAiBv7Vd0zd2zuUjs
oGNTRG+OvYz0wAxmG8kXEKpSS0HihQ==
-----END CERTIFICATE-----
`;

/** The same name and key; valid for one day in 2020. */
export const expiredCertificate = `-----BEGIN CERTIFICATE-----
MIIBfzCCASSgAwIBAgIBATAKBggqhkjOPQQDAjAdMRswGQYDVQQDDBJIZWxpb2dy
YXBoIHRlc3QgQ0EwHhcNMjAwMTAxMDAwMDAwWhcNMjAwMTAyMDAwMDAwWjAXMRUw
EwYDVQQDDAxzbXNjLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQv
+c7bjGALZpzP8yjCa0Zlbtac9EJ244ATOIQ1zNBfG3CpZGb+mk5lAhlPRuoztfgh
2fDmBYT/SV55y9aAyHwXo1swWTAXBgNVHREEEDAOggxzbXNjLmV4YW1wbGUwHQYD
VR0OBBYEFE7/DLbcG+fQkHVJ3nsWCykpep3cMB8GA1UdIwQYMBaAFGoUi6s7j4ny
klnRMYOw5FeHSaM9MAoGCCqGSM49BAMCA0kAMEYCIQCw3wjYaQ++3FsWm2RBiZpY
A/O2+ED6n5Hkd0T1u69bzAIhAJv+Vc3VEZa0WurjFCzbVxUZTIkbphMNNCxROuSY
19I4
-----END CERTIFICATE-----
`;

/** The key of both certificates. */
export const certificateKey = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIHNNCl3MJdoDlQ45BTEJhy6sJzWYO9oqtqMsNNFAbjo1oAoGCCqGSM49
AwEHoUQDQgAEL/nO24xgC2acz/MowmtGZW7WnPRCduOAEziENczQXxtwqWRm/ppO
ZQIZT0bqM7X4Idnw5gWE/0leecvWgMh8Fw==
-----END EC PRIVATE KEY-----
`;
