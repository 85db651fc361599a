import assert from 'node:assert/strict'
import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pino from 'pino'
import { eventually } from '../../../test/harness/eventually.ts'
import { SettingError } from '../errors/catalogue.ts'
import { openBins } from './bins-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-bins-'))
after(() => rmSync(folder, { recursive: true }))

test('a replaced table is read without a restart, and a wrong one keeps the old', async () => {
  const file = join(folder, 'bins.csv')
  writeFileSync(file, 'bin,brand,country\n424242,visa,US\n')
  const logged: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) })
  const bins = await openBins({ file, log, everyMs: 20 })
  try {
    assert.equal(bins.find('4242424242424242')?.country, 'US')
    writeFileSync(file, 'nonsense\n')
    await eventually(() => logged.some((line) => line.includes('the old one stays')))
    assert.equal(bins.find('4242424242424242')?.country, 'US')
    writeFileSync(file, 'bin,brand,country\n42424242,visa,CA\n')
    await eventually(() => bins.find('4242424242424242')?.country === 'CA')
  } finally {
    await bins.close()
  }
})

test('a table of the same size and age that replaces the old one is read, too', async () => {
  const [file, other] = [join(folder, 'used.csv'), join(folder, 'new.csv')]
  const written = new Date('2026-01-01T00:00:00Z')
  const write = (path: string, country: string) => {
    writeFileSync(path, `bin,brand,country\n424242,visa,${country}\n`)
    utimesSync(path, written, written)
  }
  write(file, 'US')
  const bins = await openBins({ file, log: pino({ level: 'silent' }), everyMs: 20 })
  try {
    write(other, 'CA')
    renameSync(other, file)
    assert.ok(await eventually(() => bins.find('4242424242424242')?.country === 'CA'))
  } finally {
    await bins.close()
  }
})

test('a table that is missing or wrong at the start is a wrong setting', async () => {
  const log = pino({ level: 'silent' })
  await assert.rejects(openBins({ file: join(folder, 'none.csv'), log }), SettingError)
  writeFileSync(join(folder, 'bad.csv'), 'x')
  await assert.rejects(openBins({ file: join(folder, 'bad.csv'), log }), /TOLLGATE_BINS cannot be used/)
})
