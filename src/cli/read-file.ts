import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { OperatorRefusal } from '../errors/catalogue.ts'

export async function readTextFile(file: string): Promise<string> {
  return (await readBinaryFile(file)).toString('utf8')
}

/** npm changes to the project's folder; INIT_CWD is where the operator typed the path. */
export async function readBinaryFile(file: string): Promise<Buffer> {
  try {
    return await readFile(resolve(process.env.INIT_CWD ?? '', file))
  } catch (error) {
    throw new OperatorRefusal(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}
