// Foreign programs for tests and benchmarks, from Debian's packages. Missing programs are installed if the user is
// root.
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

export type Tool = { readonly program: string; readonly package: string }

const INSTALL_WITHIN_MS = 600_000

const run = promisify(execFile)

/** Returns the reason why a program is not available. Undefined if all programs are present or could be installed. */
export async function missingTool(tools: readonly Tool[]): Promise<string | undefined> {
  for (const tool of tools) {
    if (isOnPath(tool.program)) continue
    const failure = await installPackage(tool.package).catch(reasonOf)
    if (!isOnPath(tool.program))
      return `${tool.program} is missing: install the package ${tool.package} (Debian, Ubuntu). ${failure ?? ''}`
  }
  return undefined
}

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, program)))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Installs a package. Throws if that is not possible. Test files that need the same package wait for each other. */
export async function installPackage(name: string): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('Only root can install it.')
  console.error(`installing the package ${name} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = ['-o', 'DPkg::Lock::Timeout=300', '--no-install-recommends', '-y']
  const install = () => run('apt-get', ['install', ...options, name], { env, timeout: INSTALL_WITHIN_MS })
  // A fresh machine has no package lists.
  await install().catch(async () => {
    await run('apt-get', ['update'], { env, timeout: INSTALL_WITHIN_MS })
    await install()
  })
}
