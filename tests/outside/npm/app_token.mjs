// Makes the key of a GitHub App, and the token by which the app asks for those of its installations.
// node app_token.mjs APP_ID -> {"pem": ..., "jwt": ...}
import { createSign, generateKeyPairSync } from "node:crypto";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const now = Math.floor(Date.now() / 1000);
const claims = { iss: process.argv[2], iat: now - 60, exp: now + 540 };
const text = `${part({ alg: "RS256", typ: "JWT" })}.${part(claims)}`;
const signature = createSign("RSA-SHA256").update(text).sign(privateKey).toString("base64url");
console.log(JSON.stringify({ pem: privateKey.export({ type: "pkcs1", format: "pem" }), jwt: `${text}.${signature}` }));
