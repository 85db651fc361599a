// The wire format of second factors. Passkeys are sent in the JSON form of the browser functions
// `PublicKeyCredential.toJSON()` and `parse…OptionsFromJSON()`.
import { Type } from 'typebox'
import { oneOf } from '../schemas.ts'

/**
 * The next step of the sign-in. `factor` asks for the second factor. `enrol` asks the person to set up a second factor.
 */
export const Next = oneOf('done', 'factor', 'enrol')

/** A binary value in base64url. The maximum length exceeds the longest key. */
const Base64Url = Type.String({ minLength: 1, maxLength: 8_192, pattern: '^[A-Za-z0-9_-]+$' })

const Credential = Type.Object({
  type: Type.Literal('public-key'),
  id: Type.String(),
  transports: Type.Optional(Type.Array(Type.String())),
})

export const PasskeyRequest = Type.Object({
  challenge: Type.String(),
  rpId: Type.String(),
  timeout: Type.Integer(),
  userVerification: Type.Literal('required'),
  allowCredentials: Type.Array(Credential),
})

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
    /** The public key as SubjectPublicKeyInfo, which browsers return in addition to the attestation. */
    publicKey: Base64Url,
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 8 })),
  }),
})
