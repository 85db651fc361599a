// What requests between a gateway and its sandbox are signed with, when they share a data folder and none is set.
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { keptFile } from '../src/base/created-secret.ts'
import { openSecretFolder } from '../src/base/secret-file.ts'

/** Whichever of the two starts first makes it. */
export function sandboxSecret(dataDir: string): string {
  const file = join(dataDir, 'sandbox', 'card-issuer.secret')
  openSecretFolder(dirname(file))
  return keptFile(file, () => randomBytes(32).toString('hex'))
}
