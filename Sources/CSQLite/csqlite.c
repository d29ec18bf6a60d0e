#include "csqlite.h"

CSQLITE_FUNCTIONS(LIBRARY_POINTER)

/* What Swift cannot call: a function of a variable number of arguments. */
static int (*loaded_sqlite3_db_config)(sqlite3 *, int, ...);

LIBRARY(
	csqlite_load, library_is_begun, LIBRARY_NAMES("libsqlite3.so.0"),
	CSQLITE_FUNCTIONS(LIBRARY_WANTED) LIBRARY_WANTED(int, sqlite3_db_config, , ))

void csqlite_distrust(sqlite3 *database)
{
	loaded_sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
	loaded_sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
	loaded_sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
	loaded_sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
	loaded_sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
}
