// People of the back office as tests need them: the demo's logins, an authenticator app, a passkey, and the mails that
// people get.
import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stepAt, totpCode } from '../../src/people/factors/totp.ts'
import type { BackOffice, Person } from './back-office.ts'
import { eventually } from './eventually.ts'

export type Login = { readonly email: string; readonly password: string; readonly totpSecret: string }

export function demoOperator({ dataDir }: Pick<BackOffice, 'dataDir'>): Login {
  return JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')).operator
}

export function demoOwner({ dataDir }: Pick<BackOffice, 'dataDir'>): Omit<Login, 'totpSecret'> {
  return JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')).merchantUser
}

/** Returns the code that the app shows now, or some steps later. */
export function codeOf(secret: string, later = 0): string {
  return totpCode(secret, stepAt(new Date()) + later)
}

/** Returns the newest mail to this address, as the sandbox shows it. */
export async function mailTo(
  { baseUrl }: Pick<BackOffice, 'baseUrl'>,
  email: string,
  subject: RegExp,
): Promise<{ readonly text: string; readonly token: string }> {
  let found: string | undefined
  const isThere = await eventually(async () => {
    const page = await (await fetch(`${baseUrl}/sandbox/mail`)).text()
    const mails = page.split('<article').slice(1)
    found = mails.find((mail) => mail.includes(`To ${email},`) && subject.test(mail))
    return found !== undefined
  })
  if (!isThere || found === undefined) throw new Error(`no mail to ${email} with ${subject}`)
  return { text: found, token: /link#([\w-]+)/.exec(found)?.[1] ?? '' }
}

/** An authenticator in software: one key pair with ES256. */
export class SoftPasskey {
  readonly #key: KeyObject
  readonly #publicKey: Buffer
  readonly #id = randomBytes(20)
  #count = 0

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#key = privateKey
    this.#publicKey = publicKey.export({ type: 'spki', format: 'der' })
  }

  create(origin: string, { challenge, rp }: { challenge: string; rp: { id: string } }) {
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.#id.length]), this.#id])
    return {
      id: this.#id.toString('base64url'),
      response: {
        clientDataJSON: clientData('webauthn.create', challenge, origin),
        authenticatorData: Buffer.concat([this.#data(rp.id, 0x45), credential]).toString('base64url'),
        publicKey: this.#publicKey.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  answer(origin: string, { challenge, rpId }: { challenge: string; rpId: string }) {
    this.#count++
    const data = this.#data(rpId, 0x05)
    const clientDataJSON = clientData('webauthn.get', challenge, origin)
    const signed = Buffer.concat([data, hash('sha256', Buffer.from(clientDataJSON, 'base64url'), 'buffer')])
    return {
      id: this.#id.toString('base64url'),
      response: {
        clientDataJSON,
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, this.#key).toString('base64url'),
      },
    }
  }

  #data(rpId: string, flags: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(this.#count)
    return Buffer.concat([hash('sha256', rpId, 'buffer'), Buffer.from([flags]), count])
  }
}

function clientData(type: string, challenge: string, origin: string): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')
}

/** Signs the person in with the password, and with a code if the gateway asks for one. */
export async function signIn(person: Person, login: Partial<Login>, later = 0): Promise<void> {
  const { email = '', password = '', totpSecret = '' } = login
  const { next } = await person.call('POST /session', { body: { email, password } })
  if (next === 'factor')
    await person.call('POST /session/factor', { body: { code: codeOf(totpSecret, later) } })
}
