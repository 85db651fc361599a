// Signs a request as the demo merchant, unless the reader's browser has already signed it. Then sends the request to
// this gateway over HTTP, as a merchant's server would.
import { md5 } from '../../../platform/base/secret.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import type { Form } from '../../../platform/pages/form.ts'
import { escapedString, signedFields } from '../../merchant-api/checks/rsa-string.ts'
import { isMd5, longerSigned, md5StringToSign } from '../../merchant-api/checks/signature.ts'
import { type Endpoint, type EndpointPath, endpoints } from '../../merchant-api/endpoints.ts'
import type { DemoMerchant } from '../values.ts'
import { type Body, bodyOf, type Target } from './form.ts'

export type Sender = (path: EndpointPath, request: Outgoing) => Promise<Answered>

export type Outgoing = {
  readonly body: Body
  readonly headers: Readonly<Record<string, string>>
  /** The content of the file. If set, the request is a multipart request. */
  readonly file: string | undefined
}

export type Answered = { readonly status: number; readonly text: string }

export type Tried = {
  readonly path: EndpointPath
  readonly sent: Outgoing
  /** The text that was signed. `<KEY>` stands for the key of an MD5 signature. */
  readonly signedText: string
  readonly answer: Answered
}

export async function sendRequest(
  target: Target,
  form: Form,
  demo: DemoMerchant,
  send: Sender,
): Promise<Tried> {
  const { path, table, example } = target
  const isOwn = form.by === 'own'
  const entered = bodyOf(table, form)
  const body = isOwn ? entered : signedBy(demo, endpoints[path], entered)
  const sent = {
    body,
    headers: headersOf(target, isOwn ? (form.site ?? '') : demo.site, example.header),
    file: endpoints[path].body === 'multipart' ? (form.file ?? '') : undefined,
  }
  return { path, sent, signedText: signedText(endpoints[path], body), answer: await send(path, sent) }
}

function signedBy({ merNo, key }: DemoMerchant, endpoint: Endpoint, entered: Body): Body {
  const { sign: _unsigned, ...fields } = entered
  const body = { ...fields, merNo }
  return { ...body, sign: md5(md5Text(endpoint, body) + key) }
}

function md5Text(endpoint: Endpoint, body: Body): string {
  return md5StringToSign(longerSigned(endpoint, body) ?? endpoint.signed, body)
}

function signedText(endpoint: Endpoint, body: Body): string {
  if (isMd5(String(body.sign ?? ''))) return `${md5Text(endpoint, body)}<KEY>`
  try {
    return escapedString(signedFields(body))
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

function headersOf({ path }: Target, site: string, header = ''): Record<string, string> {
  return {
    // Removes the characters that a Referer cannot contain.
    ...(endpoints[path].checksReferer && { Referer: `http://${site.replace(/[^\w.:*-]/g, '')}/` }),
    ...(header !== '' && { paymentType: header }),
  }
}
