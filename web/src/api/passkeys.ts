// Asks the browser for a passkey. Options and answers are sent as JSON, in the form that browsers define.
import { call } from './call.ts'
import { type InputOf, type Reply, send } from './send.ts'

type Answer = NonNullable<NonNullable<InputOf<'POST /session/factor'>['body']>['passkey']>
type New = InputOf<'POST /account/passkeys'>['body']['passkey']

/** Thrown if the person closed the browser's dialog, or if the browser found no passkey. */
export class NoPasskey extends Error {
  override readonly name = 'NoPasskey'
}

/** True if this page has the origin to which passkeys belong, and the browser supports passkeys. */
export function passkeysWorkHere(passkeyOrigin: string | null): boolean {
  return passkeyOrigin === location.origin && 'PublicKeyCredential' in window
}

export async function askForPasskey(): Promise<Answer> {
  const options = await send('POST /session/passkey', {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const { id, response } = await credential(() => navigator.credentials.get({ publicKey }))
  if (!(response instanceof AuthenticatorAssertionResponse)) throw new NoPasskey()
  return {
    id,
    response: {
      clientDataJSON: toBase64Url(response.clientDataJSON),
      authenticatorData: toBase64Url(response.authenticatorData),
      signature: toBase64Url(response.signature),
    },
  }
}

export async function createPasskey(): Promise<New> {
  const options: Reply<'POST /account/passkeys/challenge'> = await call(
    'POST /account/passkeys/challenge',
    {},
  )
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const { id, response } = await credential(() => navigator.credentials.create({ publicKey }))
  const key = response instanceof AuthenticatorAttestationResponse ? response.getPublicKey() : null
  if (!(response instanceof AuthenticatorAttestationResponse) || key === null) throw new NoPasskey()
  return {
    id,
    response: {
      clientDataJSON: toBase64Url(response.clientDataJSON),
      authenticatorData: toBase64Url(response.getAuthenticatorData()),
      publicKey: toBase64Url(key),
      transports: response.getTransports(),
    },
  }
}

async function credential(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  const given = await ask().catch(() => null)
  if (!(given instanceof PublicKeyCredential)) throw new NoPasskey()
  return given
}

function toBase64Url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
