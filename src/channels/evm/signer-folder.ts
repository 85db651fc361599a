// The folder between us and the signer, who has the key. We write `unsigned/ID.json`; the signer answers in `signed/ID.json`
// with `{ "raw": "0x02…" }` or `{ "refused": "why" }`, and renames the file into place once it is complete. What we have
// recorded moves to `done/`, what we cannot use to `bad/`.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../../base/object.ts'
import { parseJson } from '../../http/client/http-client.ts'

export type SignerAnswer =
  | { readonly id: string; readonly kind: 'signed'; readonly raw: string }
  | { readonly id: string; readonly kind: 'refused'; readonly why: string }
  | { readonly id: string; readonly kind: 'malformed' }

export type SignerFolder = {
  /** The ids that the signer was asked about. */
  asked(): Promise<ReadonlySet<string>>
  ask(id: string, request: object): Promise<void>
  answers(): Promise<SignerAnswer[]>
  /** After the answer was recorded. */
  finish(id: string, into: 'done' | 'bad'): Promise<void>
}

const MAX_ANSWERS = 100
const MAX_WHY = 200
const isAnswer = /^[A-Za-z0-9-]{1,80}\.json$/

export async function openSignerFolder(folder: string): Promise<SignerFolder> {
  const [unsigned, signed] = [join(folder, 'unsigned'), join(folder, 'signed')]
  for (const name of ['unsigned', 'signed', 'done', 'bad'])
    await mkdir(join(folder, name), { recursive: true, mode: 0o770 })
  return {
    async asked() {
      const names = (await readdir(unsigned)).filter((name) => isAnswer.test(name))
      return new Set(names.map(idOf))
    },
    async ask(id, request) {
      const temporary = join(unsigned, `${id}.tmp`)
      await writeFile(temporary, `${JSON.stringify(request, undefined, 2)}\n`, { flush: true })
      await rename(temporary, join(unsigned, `${id}.json`))
    },
    async answers() {
      const names = (await readdir(signed)).filter((name) => isAnswer.test(name)).sort()
      const read = async (name: string) => {
        return readAnswer(idOf(name), await readFile(join(signed, name), 'utf8'))
      }
      return Promise.all(names.slice(0, MAX_ANSWERS).map(read))
    },
    async finish(id, into) {
      await rename(join(signed, `${id}.json`), join(folder, into, `${id}.json`))
      if (into === 'done') await rm(join(unsigned, `${id}.json`), { force: true })
    },
  }
}

function idOf(name: string): string {
  return name.slice(0, -'.json'.length)
}

function readAnswer(id: string, text: string): SignerAnswer {
  const body = parseJson(text)
  if (!isObject(body)) return { id, kind: 'malformed' }
  if (typeof body.raw === 'string') return { id, kind: 'signed', raw: body.raw.trim() }
  if (typeof body.refused === 'string') return { id, kind: 'refused', why: body.refused.slice(0, MAX_WHY) }
  return { id, kind: 'malformed' }
}
