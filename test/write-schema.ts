// `npm run schema`: rewrites migrations/schema.sql from a database with all migrations.
import { writeFileSync } from 'node:fs'
import { dumpSchema } from './harness/dump-schema.ts'
import { cloneDatabase } from './harness/harness.ts'

const database = await cloneDatabase(1)
writeFileSync(new URL('../migrations/schema.sql', import.meta.url), await dumpSchema(database.db))
await database.drop()
