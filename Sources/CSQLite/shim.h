#include <sqlite3.h>

/* What Swift cannot call: functions of a variable number of arguments.
 *
 * A database may come from anybody. It cannot call functions from its schema, run triggers, or write to the schema as to
 * any table. And "name" is a column or an error, never a text. What a version does not know is left as it is. */
static inline void csqlite_distrust(sqlite3 *database) {
#ifdef SQLITE_DBCONFIG_ENABLE_TRIGGER
	sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
#endif
#ifdef SQLITE_DBCONFIG_DEFENSIVE
	sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
#endif
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA
	sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
#endif
#ifdef SQLITE_DBCONFIG_DQS_DML
	sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
#endif
}
