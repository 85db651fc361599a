import { constants, createPrivateKey, type KeyObject, sign as signWith } from 'node:crypto'
import { text as readStream } from 'node:stream/consumers'
import {
  type SignedField,
  signedFields,
  stringToSign,
} from '../../../interfaces/merchant-api/checks/rsa-string.ts'
import { longerSigned, md5StringToSign } from '../../../interfaces/merchant-api/checks/signature.ts'
import {
  type Endpoint,
  type EndpointPath,
  endpoints,
  isEndpoint,
} from '../../../interfaces/merchant-api/endpoints.ts'
import { md5 } from '../../../platform/base/secret.ts'
import { OperatorRefusal, Refusal } from '../../../platform/errors/catalogue.ts'
import { readDemo } from '../../demo/demo-file.ts'
import { type Call, type Command, type Result, type Tools, UsageError } from '../command.ts'
import { demoMerchant } from '../shared/demo-merchant.ts'
import { readTextFile } from '../shared/read-input.ts'
import { findMerchant, readMerNo } from '../shared/show-merchant.ts'

const sign: Command = {
  name: 'sign',
  argument: 'ENDPOINT',
  summary: 'Show the string that a request signs, and its signature',
  options: {
    body: { value: 'FILE', required: true, help: 'the JSON body of the request; - reads standard input' },
    key: { value: 'KEY', help: "the merchant key to sign with (default: the demo merchant's)" },
    'mer-no': { value: 'MERNO', help: 'sign with the key of this merchant, from the database' },
    rsa: { value: 'PEM', help: "sign with the merchant's private RSA key in this file" },
  },
  run: signBody,
}

async function signBody({ argument, given, tools }: Call): Promise<Result> {
  const endpoint: Endpoint = endpoints[readEndpoint(argument)]
  const body = await readBody(given.text('body') ?? '')
  const file = given.text('rsa')
  if (file !== undefined) return signByRsa(body, endpoint, await readPrivateKey(file))
  // Some endpoints accept two signatures. The signature over more fields is used, because sandbox and live both accept
  // it.
  const signed = longerSigned(endpoint, body) ?? endpoint.signed
  for (const name of signed) {
    if (body[name] === undefined) tools.say(`The body has no ${name}: it is signed as an empty value.`)
  }
  const key = given.text('key') ?? (await keyOf(given.text('mer-no') ?? body.merNo, tools))
  const string = md5StringToSign(signed, body)
  return toResult(signed, `${string}<KEY>`, md5(string + key))
}

function signByRsa(body: Record<string, unknown>, endpoint: Endpoint, key: KeyObject): Result {
  const fields = fieldsOf(body)
  const string = stringToSign(fields, endpoint)
  const signature = signWith('sha256', Buffer.from(string), { key, padding: constants.RSA_PKCS1_PADDING })
  return toResult(
    fields.map(({ name }) => name),
    string,
    signature.toString('base64'),
  )
}

function fieldsOf(body: Record<string, unknown>): readonly SignedField[] {
  try {
    return signedFields(body)
  } catch (error) {
    throw error instanceof Refusal ? new OperatorRefusal(error.message) : error
  }
}

async function readPrivateKey(file: string): Promise<KeyObject> {
  const pem = await readTextFile(file)
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'rsa') return key
  } catch {
    // A text that is not a key is refused below.
  }
  throw new OperatorRefusal(`${file} does not contain a private RSA key in PEM`)
}

function toResult(signedNames: readonly string[], stringToSign: string, sign: string): Result {
  const json = { signedFields: signedNames, stringToSign, sign }
  return { json, text: `string to sign  ${stringToSign}\nsign            ${sign}` }
}

function readEndpoint(typed: string): EndpointPath {
  const path = typed.startsWith('/') ? typed : `/${typed}`
  if (isEndpoint(path)) return path
  throw new UsageError(`there is no endpoint ${typed}: use one of ${Object.keys(endpoints).join(', ')}`, sign)
}

async function readBody(file: string): Promise<Record<string, unknown>> {
  const body = parseJson(file === '-' ? await readStream(process.stdin) : await readTextFile(file))
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body }
  throw new OperatorRefusal(`${file} does not contain a JSON object`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** demo.json has the demo merchant's key, so signing with that key needs no database. */
async function keyOf(merNo: unknown, tools: Tools): Promise<string> {
  if (merNo === undefined) return (await demoMerchant(tools)).key
  const wanted = readMerNo(String(merNo))
  const demo = await readDemo(tools.config().dataDir)
  if (demo?.merNo === wanted) return demo.key
  const merchant = await findMerchant(await tools.database(), tools, wanted)
  const [newest] = merchant.keys
  if (newest === undefined) throw new OperatorRefusal(`merchant ${wanted} has no merchant key`)
  return newest.key
}

export const signCommands: readonly Command[] = [sign]
