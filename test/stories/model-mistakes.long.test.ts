// Tests the money model itself: a model with one wrong rule disagrees with the gateway within a minute.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { mistakes } from '../../model/mistakes.ts'

const model = new URL('../../model/', import.meta.url)
const pathOf = (file: string) => fileURLToPath(new URL(file, model))

for (const { name, file, find } of mistakes) {
  test(`it is noticed if in the model ${name}`, async () => {
    assert.equal(
      readFileSync(pathOf(`rules/${file}`), 'utf8').split(find).length,
      2,
      'the rule is there, once',
    )
    const args = ['--import', pathOf('make-mistake.ts'), pathOf('find-difference.ts')]
    const child = spawn(process.execPath, args, { env: { ...process.env, MODEL_MISTAKE: name } })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString()
      })
    const [status] = await once(child, 'close')
    assert.equal(status, 3, `no difference was found:\n${said}`)
  })
}
