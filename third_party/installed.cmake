# Where things lie once they are installed: as Debian has it, and the same below the folder of a portable copy.
#   bin/headlight   lib/headlight/libheadlight_engine.so, glibc-hwcaps/x86-64-v3/…   share/headlight/assets, …
include(GNUInstallDirs)
set(HEADLIGHT_PICTURES "" CACHE STRING "Web address of assets/pictures, for software centres; empty: none is published")
set(HEADLIGHT_MAINTAINER "The Headlight authors <authors@headlight.invalid>" CACHE STRING "Whom a package names")

set(assets_that_ship classroom grammars lessons lexicon models pytorch races reference strings)
if(WIN32) # a folder that is carried: headlight.exe, and beside it what it reads
  install(TARGETS headlight RUNTIME DESTINATION .)
  foreach(room IN LISTS assets_that_ship)
    install(DIRECTORY assets/${room} DESTINATION assets PATTERN __pycache__ EXCLUDE)
  endforeach()
  return()
endif()

install(TARGETS headlight RUNTIME DESTINATION bin)
install(TARGETS headlight_engine LIBRARY DESTINATION lib/headlight)
if(TARGET headlight_engine_v3)
  install(TARGETS headlight_engine_v3 LIBRARY DESTINATION lib/headlight/glibc-hwcaps/x86-64-v3)
endif()
if(UNIX AND NOT APPLE)
  # DT_RPATH, not DT_RUNPATH: it also holds for what our libraries need in turn, where they lie beside one another.
  target_link_options(headlight PRIVATE $<$<BOOL:${HEADLIGHT_PORTABLE}>:-Wl,--disable-new-dtags>)
  set_target_properties(headlight PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/headlight")
endif()

foreach(room IN LISTS assets_that_ship)
  install(DIRECTORY assets/${room} DESTINATION share/headlight/assets PATTERN __pycache__ EXCLUDE)
endforeach()

# What a desktop wants to know.
string(TIMESTAMP HEADLIGHT_RELEASE_DATE "%Y-%m-%d" UTC)
string(TIMESTAMP HEADLIGHT_RELEASE_DATE_RFC "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(HEADLIGHT_SCREENSHOTS "")
if(HEADLIGHT_PICTURES)
  configure_file(package/screenshots.xml.in package/screenshots.xml @ONLY)
  file(READ ${CMAKE_CURRENT_BINARY_DIR}/package/screenshots.xml HEADLIGHT_SCREENSHOTS)
endif()
foreach(file io.headlight.Headlight.metainfo.xml headlight.1 changelog)
  configure_file(package/${file}.in package/${file} @ONLY)
endforeach()
set(made ${CMAKE_CURRENT_BINARY_DIR}/package)
install(FILES package/io.headlight.Headlight.desktop DESTINATION share/applications)
install(FILES package/io.headlight.Headlight.xml DESTINATION share/mime/packages)
install(FILES ${made}/io.headlight.Headlight.metainfo.xml DESTINATION share/metainfo)
install(FILES package/headlight.svg DESTINATION share/icons/hicolor/scalable/apps)
install(FILES ${made}/headlight.1 DESTINATION share/man/man1)
install(FILES package/copyright ${made}/changelog README.md CHANGELOG.md CONTRIBUTING.md
  DESTINATION share/doc/headlight)
install(FILES third_party/NOTICES.md DESTINATION share/doc/headlight/third_party)
# The pages that the README leads to; the sources that they lead to in turn stay where they are.
foreach(room app assets engine tests third_party)
  install(FILES ${room}/README.md DESTINATION share/doc/headlight/${room})
endforeach()
install(FILES assets/pictures/figure.png assets/pictures/window.png assets/pictures/say.png
  assets/pictures/descent.png DESTINATION share/doc/headlight/assets/pictures)
