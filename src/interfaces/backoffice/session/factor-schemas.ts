// What a second factor looks like on the wire. Passkeys travel in the JSON form of the browsers' own
// `PublicKeyCredential.toJSON()` and `parse…OptionsFromJSON()`.
import { Type } from 'typebox'

/** What the person has to do next: `enrol` sets up a second factor, which operators must have. */
export const Next = Type.Union([Type.Literal('done'), Type.Literal('factor'), Type.Literal('enrol')])

/** As long as a key can be, and no longer. */
const Base64Url = Type.String({ minLength: 1, maxLength: 8_192, pattern: '^[A-Za-z0-9_-]+$' })

const Credential = Type.Object({
  type: Type.Literal('public-key'),
  id: Type.String(),
  transports: Type.Optional(Type.Array(Type.String())),
})

/** For `navigator.credentials.get`. */
export const PasskeyRequest = Type.Object({
  challenge: Type.String(),
  rpId: Type.String(),
  timeout: Type.Integer(),
  userVerification: Type.Literal('required'),
  allowCredentials: Type.Array(Credential),
})

/** For `navigator.credentials.create`. */
export const PasskeyCreation = Type.Object({
  challenge: Type.String(),
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
  timeout: Type.Integer(),
  attestation: Type.String(),
  excludeCredentials: Type.Array(Credential),
  authenticatorSelection: Type.Object({
    residentKey: Type.Literal('preferred'),
    userVerification: Type.Literal('required'),
  }),
})

export const PasskeyAnswer = Type.Object({
  id: Base64Url,
  response: Type.Object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
  }),
})

export const NewPasskey = Type.Object({
  id: Base64Url,
  response: Type.Object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    /** SubjectPublicKeyInfo, as browsers give it beside the attestation. */
    publicKey: Base64Url,
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 8 })),
  }),
})
