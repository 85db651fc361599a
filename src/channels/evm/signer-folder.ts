// The folder between us and the signer. We write `unsigned/ID.json`; the signer answers in `signed/ID.json` with
// `{ "raw": "0x02…" }` or `{ "refused": "why" }`, and renames the file into place once it is complete. What we have recorded
// moves to `done/`, what we cannot use to `bad/`.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readAnswer, type Signer } from './signer.ts'

const MAX_ANSWERS = 100
const isAnswer = /^[A-Za-z0-9-]{1,80}\.json$/

export function openSignerFolder(folder: string): Signer {
  const [unsigned, signed] = [join(folder, 'unsigned'), join(folder, 'signed')]

  async function make(): Promise<void> {
    for (const name of ['unsigned', 'signed', 'done', 'bad'])
      await mkdir(join(folder, name), { recursive: true, mode: 0o770 })
  }

  async function asked(): Promise<ReadonlySet<string>> {
    await make()
    return new Set((await listed(unsigned)).map(idOf))
  }

  return {
    asked,
    async ask(id, request) {
      const temporary = join(unsigned, `${id}.tmp`)
      await writeFile(temporary, `${JSON.stringify(request, undefined, 2)}\n`, { flush: true })
      await rename(temporary, join(unsigned, `${id}.json`))
    },
    async answers() {
      await make()
      const names = (await listed(signed)).slice(0, MAX_ANSWERS)
      return Promise.all(
        names.map(async (name) => readAnswer(await readFile(join(signed, name), 'utf8'), idOf(name))),
      )
    },
    async finish(id, into) {
      await rename(join(signed, `${id}.json`), join(folder, into, `${id}.json`))
      if (into === 'done') await rm(join(unsigned, `${id}.json`), { force: true })
    },
    async check() {
      try {
        return {
          isRight: true,
          message: `${(await asked()).size} transfers wait for the signer in ${unsigned}`,
        }
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        return { isRight: false, message: `the signer's folder cannot be used: ${why}` }
      }
    },
  }
}

async function listed(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => isAnswer.test(name)).sort()
}

function idOf(name: string): string {
  return name.slice(0, -'.json'.length)
}
