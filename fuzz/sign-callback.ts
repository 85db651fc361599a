// Signs a counterparty's callback after its mutation, as the sandbox signs callbacks for its rails.
import { signNotice } from '../sandbox/alipay/signature.ts'
import { readOrCreateRsaKeys } from '../sandbox/rsa-keys.ts'
import { platformHeaders, sealResource } from '../sandbox/wechat/signature.ts'
import { isObject } from '../src/platform/base/object.ts'
import { parseJson } from '../src/platform/http/client/http-client.ts'
import { openResource } from '../src/rails/protocols/wechat/callback.ts'
import { signatureHeader, signRequest, timestampHeader } from '../src/rails/toolkit/signature.ts'
import type { Seen } from './relay.ts'
import { SECRET, type World } from './world.ts'

export type Signed = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

export type Signer = {
  /** Returns the content of a callback as readable text. */
  open(callback: Seen): string
  sign(path: string, content: string): Signed
}

/** Returns a function that finds the signer of a channel. Channels without a signer of their own use our protocol. */
export async function callbackSigners(world: World): Promise<(channel: string) => Signer> {
  const keys = readOrCreateRsaKeys(world.sandbox.folder)().platform
  const apiV3Key = await readApiKey(world)
  const text = ({ body }: Seen) => body.toString('utf8')
  const own: Signer = { open: text, sign: signOwn }
  const signers: Readonly<Record<string, Signer>> = {
    pix: { open: text, sign: (_path, body) => ({ headers: json, body }) },
    alipay: {
      open: text,
      sign(_path, content) {
        const { sign: _old, ...params } = Object.fromEntries(new URLSearchParams(content))
        const body = new URLSearchParams(signNotice(params, keys.privateKey)).toString()
        return { headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }, body }
      },
    },
    wechat: {
      open(callback) {
        const message = parseJson(text(callback))
        if (!isObject(message)) return text(callback)
        return JSON.stringify({ ...message, resource: openResource(message.resource, apiV3Key) })
      },
      sign(_path, content) {
        const message = parseJson(content)
        const sealed =
          isObject(message) && isObject(message.resource)
            ? JSON.stringify({ ...message, resource: sealResource(message.resource, apiV3Key) })
            : content
        return { headers: { ...json, ...platformHeaders(sealed, keys.privateKey, new Date()) }, body: sealed }
      },
    },
  }
  return (channel) => signers[channel] ?? own
}

const json = { 'content-type': 'application/json' }

function signOwn(path: string, body: string): Signed {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = signRequest(SECRET, { method: 'POST', path, timestamp, body })
  return { headers: { ...json, [timestampHeader]: timestamp, [signatureHeader]: signature }, body }
}

async function readApiKey({ sandbox }: World): Promise<string> {
  const { headers, body } = signOwn('/v1/settings', '{}')
  const response = await fetch(`${sandbox.url}/v1/settings`, { method: 'POST', headers, body })
  const { channels }: { channels: readonly Record<string, unknown>[] } = JSON.parse(await response.text())
  return String(channels.find(({ name }) => name === 'wechat')?.apiV3Key)
}
