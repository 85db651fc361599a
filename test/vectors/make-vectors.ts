// Makes docs/vectors.json by the gateway's own code: what it signs, and what it accepts.
import { createPrivateKey, sign } from 'node:crypto'
import { md5 } from '../../src/base/secret.ts'
import {
  escapedString,
  plainProblem,
  plainString,
  signedFields,
} from '../../src/merchant-api/checks/rsa-string.ts'
import { longerSigned, md5StringToSign } from '../../src/merchant-api/checks/signature.ts'
import { endpoints } from '../../src/merchant-api/endpoints.ts'
import type { Signer } from '../../src/merchants/sign-fields.ts'
import { composeBody } from '../../src/notifications/wire.ts'
import { AT, makeForgeries, webhookHeaders } from './forgeries.ts'
import { md5Inputs, notificationInputs, type RequestInput, rsaInputs } from './inputs.ts'

export type Keys = {
  readonly merchantKey: string
  readonly merchantPrivateKey: string
  readonly merchantPublicKey: string
  readonly platformPrivateKey: string
  readonly platformPublicKey: string
  readonly webhookSecret: string
}

export type RequestVector = RequestInput & {
  /** Without the merchant key; for RSA the escaped form. */
  readonly string: string
  readonly sign: string
}

export type NotificationVector = {
  readonly name: string
  /** Which of the keys verifies `sign`. */
  readonly signedBy: 'md5' | 'rsa'
  /** The receiver's time, in seconds. */
  readonly at: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Null: it must be refused. */
  readonly event: string | null
}

export type Vectors = {
  readonly about: string
  readonly keys: Keys
  readonly md5: readonly RequestVector[]
  /** `plain`: the form without escapes, null where the gateway refuses it. */
  readonly rsa: readonly (RequestVector & { readonly plain: string | null })[]
  readonly notifications: readonly NotificationVector[]
}

const ABOUT =
  'Signatures that every program must agree with. The documents about signing and notifications say how they are made. The keys were made for this file: no gateway uses them.'

export async function makeVectors(keys: Keys): Promise<Vectors> {
  return {
    about: ABOUT,
    keys,
    md5: md5Inputs.map((input) => md5Vector(input, keys.merchantKey)),
    rsa: rsaInputs.map((input) => rsaVector(input, keys.merchantPrivateKey)),
    notifications: [
      ...(await genuine('md5', { kind: 'md5', key: keys.merchantKey }, keys)),
      ...(await genuine('rsa', { kind: 'rsa', key: createPrivateKey(keys.platformPrivateKey) }, keys)),
      ...(await makeForgeries(keys)),
    ],
  }
}

function md5Vector(input: RequestInput, key: string): RequestVector {
  const endpoint = endpoints[input.path]
  const string = md5StringToSign(longerSigned(endpoint, input.body) ?? endpoint.signed, input.body)
  return { ...input, string, sign: md5(string + key) }
}

function rsaVector(input: RequestInput, privateKey: string): Vectors['rsa'][number] {
  const fields = signedFields(input.body)
  const string = escapedString(fields)
  const plain = plainProblem(fields, endpoints[input.path]) === undefined ? plainString(fields) : null
  return { ...input, string, sign: sign('sha256', Buffer.from(string), privateKey).toString('base64'), plain }
}

function genuine(signedBy: 'md5' | 'rsa', signer: Signer, keys: Keys): Promise<NotificationVector[]> {
  return Promise.all(
    notificationInputs.map(async ({ name, event, fields }) => {
      const body = await composeBody(event, fields, signer)
      const headers = webhookHeaders(event, body, keys)
      return { name: `${signedBy.toUpperCase()}: ${name}`, signedBy, at: AT, headers, body, event }
    }),
  )
}
