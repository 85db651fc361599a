import { text as readStream } from 'node:stream/consumers'
import { OperatorRefusal } from '../base/error.ts'
import { readDemo } from '../demo/demo-file.ts'
import { type EndpointPath, endpoints, isEndpoint } from '../merchant-api/endpoints.ts'
import { md5StringToSign } from '../merchant-api/signature.ts'
import { md5 } from '../merchants/sign-fields.ts'
import { type Call, type Command, type Result, type Tools, UsageError } from './command.ts'
import { demoMerchant } from './demo-merchant.ts'
import { readTextFile } from './read-file.ts'
import { findMerchant, readMerNo } from './show-merchant.ts'

const sign: Command = {
  name: 'sign',
  argument: 'ENDPOINT',
  summary: 'Show what a request signs, and its MD5 signature',
  options: {
    body: { value: 'FILE', required: true, help: 'the JSON body of the request; - reads standard input' },
    key: { value: 'KEY', help: "the merchant key to sign with (the demo merchant's)" },
    'mer-no': { value: 'MERNO', help: 'sign with the key of this merchant, from the database' },
  },
  run: signBody,
}

async function signBody({ argument, given, tools }: Call): Promise<Result> {
  const { signed } = endpoints[readEndpoint(argument)]
  const body = await readBody(given.text('body') ?? '')
  for (const name of signed) {
    if (body[name] === undefined) tools.say(`The body has no ${name}: it is signed as if it were empty.`)
  }
  const key = given.text('key') ?? (await keyOf(given.text('mer-no') ?? body.merNo, tools))
  const string = md5StringToSign(signed, body)
  const json = { signedFields: signed, stringToSign: `${string}<KEY>`, sign: md5(string + key) }
  return { json, text: `string to sign  ${json.stringToSign}\nsign            ${json.sign}` }
}

function readEndpoint(typed: string): EndpointPath {
  const path = typed.startsWith('/') ? typed : `/${typed}`
  if (isEndpoint(path)) return path
  throw new UsageError(`there is no endpoint ${typed}: ${Object.keys(endpoints).join(', ')}`, sign)
}

async function readBody(file: string): Promise<Record<string, unknown>> {
  const body = parseJson(file === '-' ? await readStream(process.stdin) : await readTextFile(file))
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body }
  throw new OperatorRefusal(`${file} does not hold a JSON object`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The demo merchant's from its file, which needs no database; any other's newest from the database. */
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
