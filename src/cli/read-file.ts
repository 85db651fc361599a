import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { OperatorRefusal } from '../base/error.ts'

/** npm runs us in the project's folder; the file is named from where the operator stands. */
export async function readTextFile(file: string): Promise<string> {
  try {
    return await readFile(resolve(process.env.INIT_CWD ?? '', file), 'utf8')
  } catch (error) {
    throw new OperatorRefusal(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}
