// Makes docs/vectors.json by the gateway's own code: what it signs, and what it accepts.

import { createPrivateKey, sign } from 'node:crypto'
import {
  escapedString,
  plainProblem,
  plainString,
  signedFields,
} from '../../src/interfaces/merchant-api/checks/rsa-string.ts'
import { longerSigned, md5StringToSign } from '../../src/interfaces/merchant-api/checks/signature.ts'
import { endpoints } from '../../src/interfaces/merchant-api/endpoints.ts'
import type { Signer } from '../../src/money/merchants/sign-fields.ts'
import { composeBody } from '../../src/money/notifications/wire.ts'
import { md5 } from '../../src/platform/base/secret.ts'
import {
  AT,
  type Keys,
  makeForgeries,
  makeUnusableKeys,
  type NotificationVector,
  type UnusableKey,
  webhookHeaders,
} from './forgeries.ts'
import { md5Inputs, notificationInputs, type RequestInput, rsaInputs } from './inputs.ts'

export type RequestVector = RequestInput & {
  /** The signed text without the merchant key; for RSA in its escaped form. */
  readonly string: string
  readonly sign: string
}

export type Vectors = {
  readonly about: string
  readonly keys: Keys
  readonly md5: readonly RequestVector[]
  /** `plain` is the form without escapes. Null if the gateway refuses that form. */
  readonly rsa: readonly (RequestVector & { readonly plain: string | null })[]
  readonly notifications: readonly NotificationVector[]
  readonly unusableKeys: readonly UnusableKey[]
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
    unusableKeys: await makeUnusableKeys(keys),
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
