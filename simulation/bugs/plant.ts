// Makes a temporary copy of the checkout that contains one bug.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { applyEdit, type Bug } from './bug.ts'

export type Planted = { readonly folder: string; remove(): void }

const root = fileURLToPath(new URL('../..', import.meta.url))
const copied = [
  'src',
  'sandbox',
  'simulation',
  'test',
  'bench',
  'migrations',
  'package.json',
  'package-lock.json',
  'setup.mjs',
  'tsconfig.json',
]

export function plant(bug: Bug): Planted {
  const folder = mkdtempSync(join(tmpdir(), `tollgate-${bug.name}-`))
  for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const edit of bug.edits) {
    const file = join(folder, edit.file)
    writeFileSync(file, applyEdit(readFileSync(file, 'utf8'), edit))
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
