/** A certificate that exists for the tests of this folder alone: it guards nothing. Valid until 2126. */

export const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgoayg3Q6ec5TbzDNM
UUIwLYKk8XcP17dmnJSpc4Wyfj+hRANCAASNPDi18iYOn7BpzcXAyqtjg1HOe/mS
lY/yRcNdY78HuU6vLs9+fwQh4zZbzeN/DtsWczqpBwusLwsaqSzb59gm
-----END PRIVATE KEY-----
`;

export const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUBppYMZ8jfrulZ2WbErDyxBttZ/cwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTAzMjU1OFoYDzIxMjYxMDI4
MDMyNTU4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASNPDi18iYOn7BpzcXAyqtjg1HOe/mSlY/yRcNdY78HuU6vLs9+fwQh
4zZbzeN/DtsWczqpBwusLwsaqSzb59gmo28wbTAdBgNVHQ4EFgQU6PCp6m3Et56p
3ixXbTR2UycxlbcwHwYDVR0jBBgwFoAU6PCp6m3Et56p3ixXbTR2UycxlbcwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAMIeuyua+xssSwLE9+p8/nmZrH0AlRyhWeyXvHCu+aztAiEA
zi5lmjijWyTKvYIII3YGng00GVbE1zYPd2uDbrLcV9A=
-----END CERTIFICATE-----
`;
